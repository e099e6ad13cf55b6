import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followToObject,
  NotImportable,
  objectIn,
  type ApiDocument,
  type DocumentPath,
  type Located,
} from "./api-document.js";
import { bareType, isJsonType } from "./media-types.js";
import type { Operation } from "./operations.js";
import type { SharedSchemas } from "./shared-schemas.js";

/** The answer of an operation that succeeds. */
export interface Answer {
  /** Absent if the document has no schema, or if the answer is not always JSON. */
  readonly schema?: JsonSchema;
  /** The media type to request. Absent if the API has only one. */
  readonly accept?: string;
  /** Why there is no schema. */
  readonly problem?: NotImportable;
}

/**
 * Reads the answers of an operation that succeeds.
 *
 * @param shared undefined if tools get no output schema
 */
export function answerOf(
  document: ApiDocument,
  operation: Operation,
  shared: SharedSchemas | undefined,
): Answer {
  try {
    const contents = contentsOf(document, operation);
    const accept = contents.map((content) => content?.accept).find((type) => type !== undefined);
    const request = accept === undefined ? {} : { accept };
    if (shared === undefined) return request;
    if (operation.method === "HEAD") return { ...request, ...answerToHead(contents) };
    return { ...request, ...schemaOf(contents, operation, shared) };
  } catch (error) {
    if (!(error instanceof NotImportable)) throw error;
    return shared === undefined ? {} : { problem: error };
  }
}

/** An answer to HEAD has no content, whatever the document says. */
function answerToHead(contents: readonly (Content | undefined)[]): Pick<Answer, "problem"> {
  const described = contents.find((content) => content?.schema !== undefined);
  if (described?.schema === undefined) return {};
  return { problem: new NotImportable("answers HEAD, without content", described.schema.path) };
}

function schemaOf(
  contents: readonly (Content | undefined)[],
  operation: Operation,
  shared: SharedSchemas,
): Pick<Answer, "schema" | "problem"> {
  const schemas = contents.map((content) => content?.schema);
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema?.value), schema]));
  const sources = [...distinct.values()].filter((schema) => schema !== undefined);
  if (sources.length < distinct.size && sources.length > 0) {
    return { problem: new NotImportable("is not always there", operation.path) };
  }
  try {
    const [first, ...others] = sources.map((source) => shared.convert(source, "response"));
    if (first === undefined) return {};
    const path = sources[0]?.path ?? operation.path;
    const union = others.length === 0 ? first : { anyOf: [first, ...others] };
    const schema = shared.bounded(union, path);
    return isJsonObject(schema) && Object.keys(schema).length > 0 ? { schema } : {};
  } catch (error) {
    if (!(error instanceof NotImportable)) throw error;
    return { problem: error };
  }
}

/** The JSON content of an answer. */
interface Content {
  readonly schema?: Located;
  readonly accept?: string;
}

/** The content of each successful answer. Undefined for an answer without content. */
function contentsOf(document: ApiDocument, operation: Operation): (Content | undefined)[] {
  const responses = objectIn(document, operation, "responses");
  const entries = entriesOf(responses?.value);
  const successful = entries.filter(([status]) => /^2(?:\d\d|XX)$/i.test(status));
  const defaultResponse = entries.filter(([status]) => status === "default");
  return (successful.length > 0 ? successful : defaultResponse).map(([status, value]) => {
    const path = [...(responses?.path ?? []), status];
    const answer = followToObject(document, { value, path });
    return document.version === "2.0"
      ? contentIn2(document, operation, answer)
      : contentIn3(answer);
  });
}

function contentIn2(
  document: ApiDocument,
  operation: Operation,
  answer: Located<JsonObject>,
): Content | undefined {
  const produces = ownValue(operation.value, "produces") ?? ownValue(document.value, "produces");
  const value = ownValue(answer.value, "schema");
  if (value === undefined) return undefined;
  const path = [...answer.path, "schema"];
  const mediaTypes = Array.isArray(produces) ? produces.map(String) : ["application/json"];
  return { schema: { value, path }, ...jsonMediaType(mediaTypes, path) };
}

function contentIn3(answer: Located<JsonObject>): Content | undefined {
  const contents = entriesOf(ownValue(answer.value, "content"));
  if (contents.length === 0) return undefined;
  const mediaTypes = contents.map(([type]) => type);
  const { mediaType, ...accept } = jsonMediaType(mediaTypes, [...answer.path, "content"]);
  const media = contents.find(([type]) => type === mediaType)?.[1];
  const value = isJsonObject(media) ? ownValue(media, "schema") : undefined;
  const path = [...answer.path, "content", mediaType, "schema"];
  return value === undefined ? accept : { schema: { value, path }, ...accept };
}

/**
 * The media type that is JSON. `accept` is present if the request must ask for it.
 *
 * @throws {NotImportable} if none is JSON
 */
function jsonMediaType(
  mediaTypes: readonly string[],
  path: DocumentPath,
): { mediaType: string; accept?: string } {
  const [first = "application/json"] = mediaTypes;
  if (mediaTypes.every(mayBeJson)) return { mediaType: first };
  const mediaType = mediaTypes.find(isJsonType) ?? mediaTypes.find(mayBeJson);
  if (mediaType === undefined) throw new NotImportable("is something else than JSON", path);
  return { mediaType, accept: isJsonType(mediaType) ? bareType(mediaType) : "application/json" };
}

const mayBeJson = (mediaType: string): boolean =>
  isJsonType(mediaType) || ["*/*", "application/*"].includes(bareType(mediaType));
