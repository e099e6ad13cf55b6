import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followedOrOpen,
  NotImportable,
  objectIn,
  textIn,
  type ApiDocument,
  type DocumentPath,
  type Located,
} from "./api-document.js";
import { leftOutFile, textPartsOf } from "./multipart-fields.js";
import { bareType, isFormType, isJsonType, isMultipartType, isTextType } from "./media-types.js";
import type { Operation } from "./operations.js";
import type { OmittedPart } from "./request-arguments.js";
import { JSON_TEXT, styleIn, type Parameter, type ParameterStyle } from "./parameters.js";

/** The content that a request sends. */
export interface RequestContent {
  readonly kind: "json" | "form" | "multipart" | "text";
  /** The value of `Content-Type`. Absent if it is the default of this kind. */
  readonly mediaType?: string;
  readonly schema: Located;
  readonly isRequired: boolean;
  readonly description?: string;
  /** The styles of the fields of a form that do not have the default style. */
  readonly styles?: ReadonlyMap<string, ParameterStyle>;
  /** The parts that cannot be sent. */
  readonly leftOut?: readonly OmittedPart[];
}

/**
 * The content of an operation's request. Undefined if it sends none.
 *
 * @throws {NotImportable} if an `http` body cannot send such content
 */
export function requestContentOf(
  document: ApiDocument,
  operation: Operation,
  parameters: readonly Parameter[],
): RequestContent | undefined {
  return document.version === "2.0"
    ? contentIn2(document, operation, parameters)
    : contentIn3(document, operation);
}

/** True if the document says that an operation's request has content. False where it says nothing that can be read. */
export function requiresContent(
  document: ApiDocument,
  operation: Operation,
  parameters: readonly Parameter[],
): boolean {
  if (document.version === "2.0") {
    const places = parameters.some((parameter) => parameter.in === "body") ? "body" : "formData";
    return parameters.some((parameter) => parameter.in === places && parameter.isRequired);
  }
  const body = bodyOf(document, operation);
  return isJsonObject(body) && ownValue(body, "required") === true;
}

/** True if it can be read which types of content an operation's request has. */
export function hasContent(document: ApiDocument, operation: Operation): boolean {
  if (document.version === "2.0") return true;
  const body = bodyOf(document, operation);
  return isJsonObject(body) && isJsonObject(ownValue(body, "content"));
}

/** What a document says of the body of an operation's request; an open object where that cannot be read. */
function bodyOf(document: ApiDocument, { value, path }: Operation): JsonValue {
  const at = { value: ownValue(value, "requestBody") ?? null, path: [...path, "requestBody"] };
  return followedOrOpen(document, at).value;
}

function contentIn2(
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
    const type = preferredType(mediaTypes.length === 0 ? ["application/json"] : mediaTypes, path);
    if (type.kind === "form" || type.kind === "multipart")
      throw new NotImportable("sends a body as a form", body.at.path);
    return { ...type, schema, isRequired, ...(description !== undefined && { description }) };
  }
  if (fields.length === 0) return undefined;
  const unsupported = fields.filter((field) => field.unsupported !== undefined);
  const needed = unsupported.find((field) => field.isRequired);
  if (needed !== undefined)
    throw new NotImportable(
      `has the field "${needed.name}", which ${needed.unsupported}`,
      needed.at.path,
    );
  const files = fields.filter(({ at }) => ownValue(at.value, "type") === "file");
  const texts = fields.filter((field) => !files.includes(field) && !unsupported.includes(field));
  if (texts.length === 0 || files.some((file) => file.isRequired))
    throw new NotImportable("has a part that is a file", path);
  const isFormByDefault = mediaTypes.length === 0 && files.length === 0;
  const isForm = isFormByDefault || mediaTypes.some(isFormType);
  if (!isForm && mediaTypes.length > 0 && !mediaTypes.some(isMultipartType))
    throw new NotImportable(`sends ${mediaTypes.join(", ")}`, path);
  return {
    kind: isForm ? "form" : "multipart",
    schema: formSchema(texts, path),
    styles: new Map(texts.map((field) => [field.name, field])),
    isRequired: texts.some((field) => field.isRequired),
    leftOut: [
      ...files.map(({ name, at }) => leftOutFile(name, at.path)),
      ...unsupported.map(({ name, unsupported: problem, at }) => ({
        reason: `the optional field "${name}" is left out, which ${problem}`,
        path: at.path,
      })),
    ],
  };
}

/** A schema of an object with the fields of a form in OpenAPI 2.0. */
function formSchema(fields: readonly Parameter[], path: Located["path"]): Located {
  const properties = Object.fromEntries(fields.map(({ name, at }) => [name, at.value]));
  const required = fields.filter((field) => field.isRequired).map(({ name }) => name);
  return { value: { type: "object", properties, required }, path };
}

function contentIn3(document: ApiDocument, operation: Operation): RequestContent | undefined {
  const body = objectIn(document, operation, "requestBody");
  if (body === undefined) return undefined;
  const contents = entriesOf(ownValue(body.value, "content")).filter(([type]) => type !== "");
  if (contents.length === 0) return undefined;
  const path = [...body.path, "content"];
  const type = preferredType(
    contents.map(([name]) => name),
    path,
  );
  const media = contents.find(([name]) => name === type.key)?.[1];
  const schema: JsonObject = isJsonObject(media) ? media : {};
  const description = textIn(body.value, "description");
  const at = { value: ownValue(schema, "schema") ?? {}, path: [...path, type.key, "schema"] };
  const isMultipart = type.kind === "multipart";
  const encodings = ownValue(schema, "encoding");
  const parts = isMultipart ? textPartsOf(document, at, encodings) : { schema: at, leftOut: [] };
  const isForm = isMultipart || type.kind === "form";
  const encoding = isForm ? encodingOf(schema, [...path, type.key, "encoding"]) : undefined;
  return {
    kind: type.kind,
    ...(type.mediaType !== undefined && { mediaType: type.mediaType }),
    schema: parts.schema,
    isRequired: ownValue(body.value, "required") === true,
    ...(encoding !== undefined && { styles: encoding.styles }),
    leftOut: [...parts.leftOut, ...(encoding?.leftOut ?? [])],
    ...(description !== undefined && { description }),
  };
}

/** The styles of the fields of a form, from OpenAPI's `encoding`. */
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

/** The style of a field. A style overrides a media type. Undefined if a form cannot send the media type. */
function fieldStyle(encoding: JsonValue): ParameterStyle | undefined {
  if (!isJsonObject(encoding)) return undefined;
  const isStyled = ["style", "explode", "allowReserved"].some((key) => key in encoding);
  const mediaType = textIn(encoding, "contentType");
  if (isStyled || mediaType === undefined) return styleIn(encoding, "form");
  if (isJsonType(mediaType)) return JSON_TEXT;
  return bareType(mediaType) === "text/plain" ? styleIn(encoding, "form") : undefined;
}

/**
 * The media type to send. In the order of preference: JSON, other JSON types, a form, plain text, other texts, a
 * multipart form.
 *
 * @throws {NotImportable} if an `http` body can send none of them
 */
function preferredType(
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
  const otherText = find(isTextType);
  if (otherText !== undefined)
    return { kind: "text", key: otherText, mediaType: bareType(otherText) };
  const parts = find(isMultipartType);
  if (parts !== undefined) return { kind: "multipart", key: parts };
  throw new NotImportable(`sends ${mediaTypes.join(", ")}, which an http body cannot`, path);
}
