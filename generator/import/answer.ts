import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followedObject,
  NotImportable,
  objectIn,
  type ApiDocument,
  type Located,
} from "./api-document.js";
import type { Operation } from "./operations.js";
import type { SharedSchemas } from "./shared-schemas.js";

/**
 * The schema of a successful answer; undefined where the document says none.
 *
 * @throws {NotImportable} where it is not always the same JSON
 */
export function answerSchema(
  document: ApiDocument,
  operation: Operation,
  shared: SharedSchemas,
): JsonSchema | undefined {
  const responses = objectIn(document, operation, "responses");
  const found = entriesOf(responses?.value).filter(([status]) => /^2(?:\d\d|XX)$/i.test(status));
  const others = entriesOf(responses?.value).filter(([status]) => status === "default");
  const successes = found.length > 0 ? found : others;
  const schemas = successes.map(([status, value]) => {
    const path = [...(responses?.path ?? []), status];
    return schemaOfAnswer(document, operation, followedObject(document, { value, path }));
  });
  const [first] = schemas;
  const written = new Set(schemas.map((schema) => JSON.stringify(schema?.value)));
  if (written.size > 1) {
    throw new NotImportable("is not always the same", responses?.path ?? operation.path);
  }
  if (first === undefined) return undefined;
  const schema = shared.bounded(shared.convert(first, "response"), first.path);
  const isTold = isJsonObject(schema) && Object.keys(schema).length > 0;
  return isTold ? schema : undefined;
}

function schemaOfAnswer(
  document: ApiDocument,
  operation: Operation,
  answer: Located<JsonObject>,
): Located | undefined {
  if (document.version === "2.0") {
    const produces = ownValue(operation.value, "produces") ?? ownValue(document.value, "produces");
    const isJson =
      !Array.isArray(produces) || produces.every((type) => JSON_TYPE.test(String(type)));
    const value = ownValue(answer.value, "schema");
    if (value === undefined) return undefined;
    const path = [...answer.path, "schema"];
    if (!isJson) throw new NotImportable("may be something else than JSON", path);
    return { value, path };
  }
  const contents = entriesOf(ownValue(answer.value, "content"));
  const [content] = contents;
  if (content === undefined) return undefined;
  const value = isJsonObject(content[1]) ? ownValue(content[1], "schema") : undefined;
  const path = [...answer.path, "content", content[0], "schema"];
  if (!contents.every(([type]) => JSON_TYPE.test(type))) {
    throw new NotImportable("may be something else than JSON", path);
  }
  return value === undefined ? undefined : { value, path };
}

const JSON_TYPE = /^(?:\*\/\*|application\/(?:\*|(?:[\w.+-]+\+)?json))\s*(?:;|$)/i;
