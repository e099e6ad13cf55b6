import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import type { ServerModel } from "../../model/server-model.js";
import { isShared } from "../../model/shared-objects.js";
import { ownValue } from "../../schema/json-schema.js";
import { pointerSegment } from "../../schema/reported-findings.js";
import { referenceEdgesOf } from "../../schema/schema-graph.js";
import { writeReference } from "../../schema/schema-reference.js";
import { walkSchema } from "../../schema/subschemas.js";
import type { CalledSchema } from "../validators/emit-validators.js";
import { validatedSchemas } from "../validators/validator-files.js";

/** An entry of the manifest's `schemas` whose functions are tested without the tools that use it. */
export interface SeparateSchema extends CalledSchema {
  /** The schema as a definition of the schemas of tools. */
  readonly definition: JsonObject;
  /** The same schema as a document of its own: a reference to the definition. */
  readonly document: JsonSchema;
  /** The JSON Pointer of the definition in the document. */
  readonly pointer: string;
}

/**
 * The shared schemas of a server that have a contract of their own, by their definitions: those that have functions of
 * their own. So the contract of a tool does not repeat what all of its definitions refuse.
 */
export const separateSchemas = onceForEach(
  (model: ServerModel): ReadonlyMap<JsonObject, SeparateSchema> => {
    const located = locatedDefinitions(model);
    const separate = new Map<JsonObject, SeparateSchema>();
    for (const schema of validatedSchemas(model)) {
      const found = located.get(schema.model.name);
      if (found === undefined) continue;
      const { definition } = found;
      const pointer = `/$defs${pointerSegment(schema.model.name)}`;
      const document = documentOf(found, located);
      separate.set(definition, { ...schema, definition, document, pointer });
    }
    return separate;
  },
);

/** A definition, and a schema of a tool that has it under its name. */
interface LocatedDefinition {
  readonly name: string;
  readonly definition: JsonObject;
  readonly root: JsonObject;
}

/** The shared schemas that stand among the definitions of tools, by name. They are the same objects in all tools. */
function locatedDefinitions({ tools }: ServerModel): ReadonlyMap<string, LocatedDefinition> {
  const located = new Map<string, LocatedDefinition>();
  for (const root of tools.flatMap(({ input, output }) => [input.wire, output?.wire])) {
    if (!isJsonObject(root)) continue;
    for (const [name, definition] of Object.entries(definitionsOf(root))) {
      if (located.has(name) || !isJsonObject(definition) || !isShared(definition)) continue;
      located.set(name, { name, definition, root });
    }
  }
  return located;
}

/** A definition as a document, with the definitions that it needs. */
function documentOf(
  found: LocatedDefinition,
  located: ReadonlyMap<string, LocatedDefinition>,
): JsonSchema {
  const needed = new Map([[found.name, found]]);
  // The map grows while this loop reads it.
  for (const one of needed.values()) {
    for (const name of referredDefinitions(one)) {
      const next = located.get(name);
      if (next !== undefined) needed.set(name, next);
    }
  }
  const entries = [...needed].map(([name, { definition }]) => [name, definition] as const);
  // `true` and `false` are definitions, too, but no objects that could be shared.
  const booleans = Object.entries(definitionsOf(found.root)).filter(
    ([, definition]) => typeof definition === "boolean",
  );
  return {
    $ref: writeReference(["$defs", found.name]),
    $defs: Object.fromEntries([...entries, ...booleans]),
  };
}

function definitionsOf(root: JsonSchema): JsonObject {
  const definitions = isJsonObject(root) ? ownValue(root, "$defs") : undefined;
  return isJsonObject(definitions) ? definitions : {};
}

/** The names of the definitions to which one refers. */
const referredDefinitions = onceForEach(({ definition, root }: LocatedDefinition): string[] =>
  walkSchema(definition).flatMap(([, schema]) => {
    const edges = isJsonObject(schema) ? referenceEdgesOf({ schema, root }) : [];
    const paths = edges.map(({ to }) => to.path);
    return paths.flatMap(([container, name]) => (container === "$defs" ? [String(name)] : []));
  }),
);
