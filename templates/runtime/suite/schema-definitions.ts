import type { Json, JsonObject } from "./contract.js";

/**
 * An item whose listed schemas have their definitions. In its file, a text stands for those that are, under the same key,
 * in the one file of definitions that items share.
 */
export function withDefinitions(item: JsonObject, definitions: JsonObject): JsonObject {
  const whole = (schema: Json, key: string): Json =>
    typeof schema === "string" ? (definitions[key] ?? schema) : schema;
  return changed(item, ["definition"], (definition) =>
    changed(definition, ["inputSchema", "outputSchema"], (schema) =>
      changed(schema, ["$defs"], (container) =>
        changed(container, Object.keys(container as JsonObject), whole),
      ),
    ),
  );
}

/** A copy of an object in which the members that it has of these are others; any other value itself. */
function changed<Value extends Json>(
  value: Value,
  keys: readonly string[],
  change: (member: Json, key: string) => Json,
): Value {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value as JsonObject);
  const entries = members.map(([key, member]) => [
    key,
    keys.includes(key) ? change(member, key) : member,
  ]);
  return Object.fromEntries(entries) as Value;
}
