import {
  isJsonObject,
  cachedJson,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { NEXT_CURSOR } from "../../selection/envelope.js";
import { onceForEach } from "../../model/once-for-each.js";
import type { ServerModel, ToolModel } from "../../model/server-model.js";
import { separateSchemas } from "./separate-schemas.js";
import { makeInstances, makeMock, type Instances } from "../../schema/instances/make-instances.js";

/** For each server, the instances of its schemas by the text of the schema. */
const instancesOf = onceForEach((_model: ServerModel) => new Map<string, Instances>());

/**
 * Valid and invalid values of a schema of this server. Equal schemas share them; large servers have many such. What breaks
 * a shared schema is in that schema's own contract.
 */
export function schemaInstances(model: ServerModel, schema: JsonSchema): Instances {
  const cache = instancesOf(model);
  const key = cachedJson(schema);
  const separate = separateSchemas(model);
  const instances = cache.get(key) ?? makeInstances(schema, (one) => separate.has(one));
  cache.set(key, instances);
  return instances;
}

/** Arguments that the input schema of a tool allows; undefined if none could be generated. */
export function validArguments(model: ServerModel, { input }: ToolModel): JsonObject | undefined {
  return schemaInstances(model, input.wire).valid.find(isJsonObject);
}

/** For each server, the mocks of its schemas by the text of the schema. Modules need them without the tests. */
const mocksOf = onceForEach((_model: ServerModel) => new Map<string, JsonValue | undefined>());

/**
 * The result of a tool in mock mode, from its output schema; undefined if none could be generated. It has no cursor, since
 * models would go on for ever to ask for the next page of what is made up.
 */
export function resultMock(model: ServerModel, tool: ToolModel): JsonValue | undefined {
  const { output, behaviour } = tool;
  const mock = output && schemaMock(model, output.wire);
  const isExposed = behaviour.kind === "http" && behaviour.pages?.expose === true;
  if (!isExposed || mock === undefined || !isJsonObject(mock)) return mock;
  const { [NEXT_CURSOR]: _cursor, ...page } = mock;
  return page;
}

/** A value that a schema of this server allows; undefined if none could be generated. */
export function schemaMock(model: ServerModel, schema: JsonSchema): JsonValue | undefined {
  const cache = mocksOf(model);
  const key = cachedJson(schema);
  const mock = cache.has(key) ? cache.get(key) : makeMock(schema);
  cache.set(key, mock);
  return mock;
}
