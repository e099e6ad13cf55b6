import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followedObject,
  NotImportable,
  objectIn,
  type ApiDocument,
  type DocumentPath,
  type Located,
} from "./api-document.js";
import { bareType, isJsonType } from "./media-types.js";
import type { Operation } from "./operations.js";
import type { SharedSchemas } from "./shared-schemas.js";

/** What an operation answers where it succeeds. */
export interface Answer {
  /** Undefined where the document says none, or one that is not always JSON. */
  readonly schema?: JsonSchema;
  /** The media type to ask for, where the API has others beside it. */
  readonly accept?: string;
  /** Why the answer is not described. */
  readonly problem?: NotImportable;
}

/**
 * Reads what an operation answers where it succeeds.
 *
 * @param shared undefined where answers are not described
 */
export function answerOf(
  document: ApiDocument,
  operation: Operation,
  shared: SharedSchemas | undefined,
): Answer {
  try {
    const contents = contentsOf(document, operation);
    const accept = contents.map((content) => content?.accept).find((type) => type !== undefined);
    const asked = accept === undefined ? {} : { accept };
    return shared === undefined ? asked : { ...asked, ...schemaOf(contents, operation, shared) };
  } catch (error) {
    if (!(error instanceof NotImportable)) throw error;
    return shared === undefined ? {} : { problem: error };
  }
}

function schemaOf(
  contents: readonly (Content | undefined)[],
  operation: Operation,
  shared: SharedSchemas,
): Pick<Answer, "schema" | "problem"> {
  const schemas = contents.map((content) => content?.schema);
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema?.value), schema]));
  const known = [...different.values()].filter((schema) => schema !== undefined);
  if (known.length < different.size && known.length > 0) {
    return { problem: new NotImportable("is not always there", operation.path) };
  }
  try {
    const [schema, ...others] = known.map((at) => shared.convert(at, "response"));
    if (schema === undefined) return {};
    const path = known[0]?.path ?? operation.path;
    const one = shared.bounded(others.length === 0 ? schema : { anyOf: [schema, ...others] }, path);
    return isJsonObject(one) && Object.keys(one).length > 0 ? { schema: one } : {};
  } catch (error) {
    if (!(error instanceof NotImportable)) throw error;
    return { problem: error };
  }
}

/** What an answer holds that is JSON. */
interface Content {
  readonly schema?: Located;
  readonly accept?: string;
}

/** What each successful answer holds; undefined for one that holds nothing. */
function contentsOf(document: ApiDocument, operation: Operation): (Content | undefined)[] {
  const responses = objectIn(document, operation, "responses");
  const found = entriesOf(responses?.value).filter(([status]) => /^2(?:\d\d|XX)$/i.test(status));
  const others = entriesOf(responses?.value).filter(([status]) => status === "default");
  return (found.length > 0 ? found : others).map(([status, value]) => {
    const path = [...(responses?.path ?? []), status];
    const answer = followedObject(document, { value, path });
    return document.version === "2.0"
      ? contentOfTwo(document, operation, answer)
      : contentOfThree(answer);
  });
}

function contentOfTwo(
  document: ApiDocument,
  operation: Operation,
  answer: Located<JsonObject>,
): Content | undefined {
  const produces = ownValue(operation.value, "produces") ?? ownValue(document.value, "produces");
  const value = ownValue(answer.value, "schema");
  if (value === undefined) return undefined;
  const path = [...answer.path, "schema"];
  const mediaTypes = Array.isArray(produces) ? produces.map(String) : ["application/json"];
  return { schema: { value, path }, ...chosenType(mediaTypes, path) };
}

function contentOfThree(answer: Located<JsonObject>): Content | undefined {
  const contents = entriesOf(ownValue(answer.value, "content"));
  if (contents.length === 0) return undefined;
  const mediaTypes = contents.map(([type]) => type);
  const { mediaType, ...accept } = chosenType(mediaTypes, [...answer.path, "content"]);
  const media = contents.find(([type]) => type === mediaType)?.[1];
  const value = isJsonObject(media) ? ownValue(media, "schema") : undefined;
  const path = [...answer.path, "content", mediaType, "schema"];
  return value === undefined ? accept : { schema: { value, path }, ...accept };
}

/** The media type that is JSON, and whether it has to be asked for. @throws {NotImportable} where none is */
function chosenType(
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
