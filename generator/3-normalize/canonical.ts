import { onceForEach } from "../model/once-for-each.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";

/** Values whose key order reaches the wire, so that it is the author's to choose. */
const ORDERED: ReadonlySet<string> = new Set([
  "inputSchema",
  "outputSchema",
  "requestedSchema",
  "_meta",
  "content",
  "structuredContent",
  // Of requests to upstreams: the keys are names, of which one may start with `x-`.
  "query",
  "headers",
  "cookies",
  "body",
  "form",
  "multipart",
]);

/**
 * The manifest in one form for all its spellings: keys of its own objects sorted, `x-` extensions
 * left out. Schemas, `_meta`, examples and fixed content keep their order.
 */
export const canonicalManifest = onceForEach((manifest: JsonObject) =>
  canonicalObject(manifest, (key, value) => {
    // Its keys are names, of which one may start with `x-`.
    if (key === "schemas" && isJsonObject(value)) return sortedByKey(value);
    if (key === "tools" && Array.isArray(value)) return value.map(canonicalTool);
    return canonicalValue(value);
  }),
);

function canonicalTool(tool: JsonValue): JsonValue {
  if (!isJsonObject(tool)) return tool;
  return canonicalObject(tool, (key, value) => {
    if (ORDERED.has(key)) return value;
    return key === "examples" && Array.isArray(value)
      ? value.map((example) => (isJsonObject(example) ? canonicalExample(example) : example))
      : canonicalValue(value);
  });
}

/** What a service or a program does in an example has keys of the manifest's own. */
function canonicalExample(example: JsonObject): JsonObject {
  const entries = Object.entries(sortedByKey(example)).map(([key, value]) => {
    const isOwn = (key === "http" || key === "exec") && isJsonObject(value);
    return [key, isOwn ? sortedByKey(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

function canonicalValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(canonicalValue);
  if (!isJsonObject(value)) return value;
  return canonicalObject(value, (key, item) => (ORDERED.has(key) ? item : canonicalValue(item)));
}

/** Sorts an object's keys, all of them, and leaves its values as they are. */
function sortedByKey(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function canonicalObject(
  object: JsonObject,
  canonicalMember: (key: string, value: JsonValue) => JsonValue,
): JsonObject {
  const keys = Object.keys(object).filter((key) => !key.startsWith("x-"));
  return Object.fromEntries(
    keys.sort().map((key) => [key, canonicalMember(key, object[key] ?? null)]),
  );
}
