import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  NotImportable,
  objectIn,
  textIn,
  type ApiDocument,
  type DocumentPath,
  type Located,
} from "./api-document.js";
import { leftOutFile, textPartsOf } from "./binary-parts.js";
import { bareType, isFormType, isJsonType, isMultipartType, isTextType } from "./media-types.js";
import type { Operation } from "./operations.js";
import type { LeftOut } from "./request-arguments.js";
import { JSON_TEXT, styleIn, type Parameter, type ParameterStyle } from "./parameters.js";

/** What a request sends behind its headers. */
export interface RequestContent {
  readonly kind: "json" | "form" | "multipart" | "text";
  /** Said in `Content-Type`, where it is not the usual one of its kind. */
  readonly mediaType?: string;
  readonly schema: Located;
  readonly isRequired: boolean;
  readonly description?: string;
  /** How fields of a form are written, where it is not the usual way. */
  readonly styles?: ReadonlyMap<string, ParameterStyle>;
  /** What of it cannot be sent. */
  readonly leftOut?: readonly LeftOut[];
}

/** @throws {NotImportable} where it is of a kind that cannot be sent */
export function requestContentOf(
  document: ApiDocument,
  operation: Operation,
  parameters: readonly Parameter[],
): RequestContent | undefined {
  return document.version === "2.0"
    ? contentOfTwo(document, operation, parameters)
    : contentOfThree(document, operation);
}

function contentOfTwo(
  { value: root }: ApiDocument,
  { value, path }: Operation,
  parameters: readonly Parameter[],
): RequestContent | undefined {
  const consumes = ownValue(value, "consumes") ?? ownValue(root, "consumes");
  const mediaTypes = Array.isArray(consumes) ? consumes.map(String) : [];
  const body = parameters.find((parameter) => parameter.in === "body");
  const fields = parameters.filter((parameter) => parameter.in === "formData");
  if (body !== undefined) {
    const { schema, isRequired, description } = body;
    const kind = chosen(mediaTypes.length === 0 ? ["application/json"] : mediaTypes, path);
    if (kind.kind === "form" || kind.kind === "multipart")
      throw new NotImportable("sends a body as a form", body.at.path);
    return { ...kind, schema, isRequired, ...(description !== undefined && { description }) };
  }
  if (fields.length === 0) return undefined;
  const unsayable = fields.find((field) => field.unsayable !== undefined);
  if (unsayable !== undefined)
    throw new NotImportable(
      `has the field "${unsayable.name}", which ${unsayable.unsayable}`,
      unsayable.at.path,
    );
  const files = fields.filter(({ at }) => ownValue(at.value, "type") === "file");
  if (files.length === fields.length || files.some((file) => file.isRequired))
    throw new NotImportable("has a part that is a file", path);
  const isUsual = mediaTypes.length === 0 && files.length === 0;
  const isForm = isUsual || mediaTypes.some(isFormType);
  if (!isForm && mediaTypes.length > 0 && !mediaTypes.some(isMultipartType))
    throw new NotImportable(`sends ${mediaTypes.join(", ")}`, path);
  const texts = fields.filter((field) => !files.includes(field));
  return {
    kind: isForm ? "form" : "multipart",
    schema: formSchema(texts, path),
    styles: new Map(texts.map((field) => [field.name, field])),
    isRequired: texts.some((field) => field.isRequired),
    leftOut: files.map(({ name, at }) => leftOutFile(name, at.path)),
  };
}

/** The fields of a form of OpenAPI 2.0 as one schema. */
function formSchema(fields: readonly Parameter[], path: Located["path"]): Located {
  const properties = Object.fromEntries(fields.map(({ name, at }) => [name, at.value]));
  const required = fields.filter((field) => field.isRequired).map(({ name }) => name);
  return { value: { type: "object", properties, required }, path };
}

function contentOfThree(document: ApiDocument, operation: Operation): RequestContent | undefined {
  const body = objectIn(document, operation, "requestBody");
  if (body === undefined) return undefined;
  const contents = entriesOf(ownValue(body.value, "content")).filter(([type]) => type !== "");
  if (contents.length === 0) return undefined;
  const path = [...body.path, "content"];
  const kind = chosen(
    contents.map(([name]) => name),
    path,
  );
  const media = contents.find(([name]) => name === kind.key)?.[1];
  const schema: JsonObject = isJsonObject(media) ? media : {};
  const description = textIn(body.value, "description");
  const at = { value: ownValue(schema, "schema") ?? {}, path: [...path, kind.key, "schema"] };
  const isInParts = kind.kind === "multipart";
  const encodings = ownValue(schema, "encoding");
  const parts = isInParts ? textPartsOf(document, at, encodings) : { schema: at, leftOut: [] };
  const isForm = isInParts || kind.kind === "form";
  const encoding = isForm ? encodingOf(schema, [...path, kind.key, "encoding"]) : undefined;
  return {
    kind: kind.kind,
    ...(kind.mediaType !== undefined && { mediaType: kind.mediaType }),
    schema: parts.schema,
    isRequired: ownValue(body.value, "required") === true,
    ...(encoding !== undefined && { styles: encoding.styles }),
    leftOut: [...parts.leftOut, ...(encoding?.leftOut ?? [])],
    ...(description !== undefined && { description }),
  };
}

/** What the document says of the fields of a form. */
function encodingOf(
  media: JsonObject,
  path: DocumentPath,
): Required<Pick<RequestContent, "styles" | "leftOut">> {
  const encodings = entriesOf(ownValue(media, "encoding"));
  const styles = encodings.flatMap(([name, encoding]): [string, ParameterStyle][] => {
    const style = fieldStyle(encoding);
    return style === undefined ? [] : [[name, style]];
  });
  const fields = encodings.filter(([, encoding]) => fieldStyle(encoding) === undefined);
  const names = fields.map(([name]) => name).join(", ");
  const reason = `the encoding of ${names} is left out: fields are sent as usual`;
  return { styles: new Map(styles), leftOut: fields.length > 0 ? [{ reason, path }] : [] };
}

/** Of a field, a style counts more than a media type. */
function fieldStyle(encoding: JsonValue): ParameterStyle | undefined {
  if (!isJsonObject(encoding)) return undefined;
  const isStyled = ["style", "explode", "allowReserved"].some((key) => key in encoding);
  const mediaType = textIn(encoding, "contentType");
  if (isStyled || mediaType === undefined) return styleIn(encoding, "form");
  if (isJsonType(mediaType)) return JSON_TEXT;
  return bareType(mediaType) === "text/plain" ? styleIn(encoding, "form") : undefined;
}

/** The first that can be sent: plain JSON, JSON of a kind of its own, a form, plain text, text of another kind, a form in several parts. */
function chosen(
  mediaTypes: readonly string[],
  path: Located["path"],
): { kind: RequestContent["kind"]; key: string; mediaType?: string } {
  const find = (test: (type: string) => boolean) => mediaTypes.find(test);
  const json = find((type) =>
    ["application/json", "*/*", "application/*"].includes(bareType(type)),
  );
  if (json !== undefined) return { kind: "json", key: json };
  const other = find(isJsonType);
  if (other !== undefined) return { kind: "json", key: other, mediaType: bareType(other) };
  const form = find(isFormType);
  if (form !== undefined) return { kind: "form", key: form };
  const text = find((type) => bareType(type) === "text/plain");
  if (text !== undefined) return { kind: "text", key: text };
  const written = find(isTextType);
  if (written !== undefined) return { kind: "text", key: written, mediaType: bareType(written) };
  const parts = find(isMultipartType);
  if (parts !== undefined) return { kind: "multipart", key: parts };
  throw new NotImportable(`sends ${mediaTypes.join(", ")}, which an http body cannot`, path);
}
