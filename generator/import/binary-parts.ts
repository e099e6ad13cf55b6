import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followed,
  NotImportable,
  textIn,
  type ApiDocument,
  type Located,
} from "./api-document.js";
import { isJsonType, isTextType } from "./media-types.js";
import type { LeftOut } from "./request-arguments.js";

/** The fields of a form in several parts, without those that are files and need not be sent. */
export interface TextParts {
  readonly schema: Located;
  readonly leftOut: readonly LeftOut[];
}

/**
 * @param encodings what the document says of the fields, by their names
 * @throws {NotImportable} where nothing but files is sent, or not without one
 */
export function textPartsOf(
  document: ApiDocument,
  at: Located,
  encodings: JsonValue | undefined,
): TextParts {
  const { value, path } = followed(document, at);
  if (!isJsonObject(value)) return { schema: at, leftOut: [] };
  const typeOf = new Map(
    entriesOf(encodings).map(([name, encoding]) => [
      name,
      isJsonObject(encoding) ? textIn(encoding, "contentType") : undefined,
    ]),
  );
  const properties = entriesOf(ownValue(value, "properties"));
  const pathOf = (name: string) => [...path, "properties", name];
  const files = properties.filter(([name, schema]) =>
    isFile(document, { value: schema, path: pathOf(name) }, typeOf.get(name)),
  );
  if (files.length === 0) return { schema: at, leftOut: [] };
  const names = new Set(files.map(([name]) => name));
  const required = ownValue(value, "required");
  const isNeeded = Array.isArray(required) && required.some((name) => names.has(String(name)));
  if (isNeeded || names.size === properties.length)
    throw new NotImportable("has a part that is binary", pathOf(files[0]?.[0] ?? ""));
  const rest = Object.fromEntries(properties.filter(([name]) => !names.has(name)));
  const leftOut = [...names].map((name) => leftOutFile(name, pathOf(name)));
  return { schema: { value: { ...value, properties: rest }, path }, leftOut };
}

export function leftOutFile(name: string, path: Located["path"]): LeftOut {
  return { reason: `the part "${name}" is left out, which is a file`, path };
}

/** Whether the bytes of a file are sent, or those of several. */
function isFile(document: ApiDocument, at: Located, contentType: string | undefined): boolean {
  const { value, path } = followed(document, at);
  if (!isJsonObject(value)) return false;
  const items = ownValue(value, "items");
  if (items !== undefined)
    return isFile(document, { value: items, path: [...path, "items"] }, contentType);
  const format = ownValue(value, "format");
  if (format === "binary" || format === "file") return true;
  const type = contentType ?? rawType(value);
  return type !== undefined && !type.split(",").some((one) => isJsonType(one) || isTextType(one));
}

/** The type of what stands in a text as it is. */
function rawType(schema: JsonObject): string | undefined {
  return ownValue(schema, "contentEncoding") === undefined
    ? textIn(schema, "contentMediaType")
    : undefined;
}
