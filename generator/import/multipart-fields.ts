import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followedOrOpen,
  followReferences,
  NotImportable,
  textIn,
  type ApiDocument,
  type Located,
} from "./api-document.js";
import { isJsonType, isTextType } from "./media-types.js";
import type { OmittedPart } from "./request-arguments.js";

/** The fields of a multipart form, without optional files. */
export interface TextParts {
  readonly schema: Located;
  readonly leftOut: readonly OmittedPart[];
}

/**
 * Takes optional files out of the schema of a multipart form, since tools cannot send files.
 *
 * @param encodings OpenAPI's `encoding` of the form: settings of the fields by their names
 * @throws {NotImportable} if the form has only files, or requires one
 */
export function textPartsOf(
  document: ApiDocument,
  at: Located,
  encodings: JsonValue | undefined,
): TextParts {
  const { value, path } = followReferences(document, at);
  if (!isJsonObject(value)) return { schema: at, leftOut: [] };
  const contentTypes = new Map(
    entriesOf(encodings).map(([name, encoding]) => [
      name,
      isJsonObject(encoding) ? textIn(encoding, "contentType") : undefined,
    ]),
  );
  const properties = entriesOf(ownValue(value, "properties"));
  const pathOf = (name: string) => [...path, "properties", name];
  const files = properties.filter(([name, schema]) =>
    isFile(document, { value: schema, path: pathOf(name) }, contentTypes.get(name)),
  );
  if (files.length === 0) return { schema: at, leftOut: [] };
  const names = new Set(files.map(([name]) => name));
  const required = ownValue(value, "required");
  const isFileRequired =
    Array.isArray(required) && required.some((name) => names.has(String(name)));
  if (isFileRequired || names.size === properties.length)
    throw new NotImportable("has a part that is binary", pathOf(files[0]?.[0] ?? ""));
  const textFields = Object.fromEntries(properties.filter(([name]) => !names.has(name)));
  const leftOut = [...names].map((name) => leftOutFile(name, pathOf(name)));
  return { schema: { value: { ...value, properties: textFields }, path }, leftOut };
}

/** Says that a field is left out since it is a file. */
export function leftOutFile(name: string, path: Located["path"]): OmittedPart {
  return { reason: `the part "${name}" is left out, which is a file`, path };
}

/** True if a field is a file, or a list of files. */
function isFile(document: ApiDocument, at: Located, contentType: string | undefined): boolean {
  const { value, path } = followedOrOpen(document, at);
  if (!isJsonObject(value)) return false;
  const items = ownValue(value, "items");
  if (items !== undefined)
    return isFile(document, { value: items, path: [...path, "items"] }, contentType);
  const format = ownValue(value, "format");
  if (format === "binary" || format === "file") return true;
  const type = contentType ?? rawType(value);
  if (type === undefined) return false;
  return !type.split(",").some((option) => isJsonType(option) || isTextType(option));
}

/** The media type of a string's content. Undefined if the content is encoded, since it is then a text in any case. */
function rawType(schema: JsonObject): string | undefined {
  return ownValue(schema, "contentEncoding") === undefined
    ? textIn(schema, "contentMediaType")
    : undefined;
}
