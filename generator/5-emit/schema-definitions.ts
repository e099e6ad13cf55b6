import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { onceForEach } from "../model/once-for-each.js";
import type { ServerModel } from "../model/server-model.js";
import { isShared } from "../model/shared-objects.js";
import { ownValue } from "../schema/json-schema.js";

/**
 * An entry of the manifest's `schemas` as it stands among the definitions of schemas that tools list. A project has each
 * in one place, and modules and contracts of tools name it, also where only one tool has it: so the files of a tool do
 * not change with other tools.
 */
export interface SchemaDefinition {
  /** Its name in the manifest, and its key among the definitions of a schema. */
  readonly name: string;
  /** Its name in modules. */
  readonly typeName: string;
  readonly schema: JsonObject;
}

/** The definitions of a server by their schemas, in the order of `sharedSchemas`. */
export type SchemaDefinitions = ReadonlyMap<JsonObject, SchemaDefinition>;

export const schemaDefinitions = onceForEach((model: ServerModel): SchemaDefinitions => {
  const schemas = new Map<string, JsonObject>();
  for (const { wire } of model.tools) {
    for (const [name, schema] of definitionsIn(wire)) {
      if (isShared(schema) && !schemas.has(name)) schemas.set(name, schema);
    }
  }
  const definitions = new Map<JsonObject, SchemaDefinition>();
  for (const { name, typeName } of model.sharedSchemas) {
    const schema = schemas.get(name);
    if (schema !== undefined) definitions.set(schema, { name, typeName, schema });
  }
  return definitions;
});

/** True if a tool lists a schema with one of the definitions. */
export function usesDefinitions(wire: JsonObject, definitions: SchemaDefinitions): boolean {
  return definitionsIn(wire).some(([, schema]) => definitions.has(schema));
}

/** A listed tool in whose schemas a text stands for each of the definitions. */
export function withNamedDefinitions(
  wire: JsonObject,
  definitions: SchemaDefinitions,
  text: string,
): JsonObject {
  if (!usesDefinitions(wire, definitions)) return wire;
  return replaced(wire, SCHEMAS, (schema) =>
    replaced(schema, KEYWORDS, (container) =>
      replaced(container, Object.keys(container), (schema) =>
        definitions.has(schema) ? text : schema,
      ),
    ),
  );
}

/** The members of a listed tool that are schemas. */
const SCHEMAS = ["inputSchema", "outputSchema"];

/** In draft-07, definitions stand under another keyword, to which they refer. Those stay with their tools. */
const KEYWORDS = ["$defs"];

function definitionsIn(wire: JsonObject): [name: string, schema: JsonObject][] {
  return objectsIn(wire, SCHEMAS)
    .flatMap(([, schema]) => objectsIn(schema, KEYWORDS))
    .flatMap(([, container]) => objectsIn(container, Object.keys(container)));
}

/** The members with these names that are objects. */
function objectsIn(
  object: JsonObject,
  names: readonly string[],
): [name: string, member: JsonObject][] {
  return names.flatMap((name): [string, JsonObject][] => {
    const member = ownValue(object, name);
    return isJsonObject(member) ? [[name, member]] : [];
  });
}

/** A copy in which the members with these names that are objects are others. */
function replaced(
  object: JsonObject,
  names: readonly string[],
  change: (member: JsonObject) => JsonValue,
): JsonObject {
  const changed = objectsIn(object, names).map(([name, member]) => [name, change(member)]);
  return { ...object, ...(Object.fromEntries(changed) as JsonObject) };
}
