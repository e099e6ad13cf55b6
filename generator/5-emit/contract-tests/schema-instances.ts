import { cachedJson, type JsonSchema, type JsonValue } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import type { ServerModel } from "../../model/server-model.js";
import { makeInstances, makeMock, type Instances } from "../../schema/instances/make-instances.js";

/** The instances of the schemas of each server, by the text of the schema. */
const instancesOf = onceForEach((_model: ServerModel) => new Map<string, Instances>());

/** What the tests of a schema of this server need. Equal schemas, of which large servers have many, are done once. */
export function schemaInstances(model: ServerModel, schema: JsonSchema): Instances {
  const made = instancesOf(model);
  const key = cachedJson(schema);
  const instances = made.get(key) ?? makeInstances(schema);
  made.set(key, instances);
  return instances;
}

/** The mocks of the schemas of each server, by the text of the schema: modules need them where no test is made. */
const mocksOf = onceForEach((_model: ServerModel) => new Map<string, JsonValue | undefined>());

/** A value that a schema of this server allows; undefined where none could be made. */
export function schemaMock(model: ServerModel, schema: JsonSchema): JsonValue | undefined {
  const made = mocksOf(model);
  const key = cachedJson(schema);
  const mock = made.has(key) ? made.get(key) : makeMock(schema);
  made.set(key, mock);
  return mock;
}
