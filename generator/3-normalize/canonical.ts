import { onceForEach } from "../model/once-for-each.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";

/** Keys whose values keep the author's key order, because clients or upstreams receive it. */
const ORDERED: ReadonlySet<string> = new Set([
  "inputSchema",
  "outputSchema",
  "requestedSchema",
  "_meta",
  "content",
  "structuredContent",
  // In requests to upstreams. Their keys are names, and a name may start with `x-`.
  "query",
  "headers",
  "cookies",
  "body",
  "form",
  "multipart",
]);

/**
 * The canonical form of a manifest: the keys of its own objects are sorted, methods are in capitals, and `x-` extensions are
 * removed. Schemas, `_meta`, examples and fixed content keep their key order.
 */
export const canonicalManifest = onceForEach((manifest: JsonObject) =>
  canonicalObject(manifest, (key, value) => {
    // The keys of `schemas` are names, and a name may start with `x-`.
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
      : withMethodInCapitals(key, canonicalValue(value));
  });
}

/** The key of the HTTP methods in a mapping, by the key of that mapping. They may be written in small letters. */
const METHODS: Readonly<Record<string, string>> = { http: "method", retries: "methods" };

function withMethodInCapitals(key: string, value: JsonValue): JsonValue {
  const name = Object.hasOwn(METHODS, key) ? METHODS[key] : undefined;
  if (name === undefined || !isJsonObject(value) || value[name] === undefined) return value;
  return { ...value, [name]: inCapitals(value[name]) };
}

function inCapitals(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inCapitals);
  return typeof value === "string" ? value.toUpperCase() : value;
}

/** Sorts the keys of an example and of its `http` and `exec`. Arguments and results keep their order. */
function canonicalExample(example: JsonObject): JsonObject {
  const entries = Object.entries(sortedByKey(example)).map(([key, value]) => {
    const isAnswer = (key === "http" || key === "exec") && isJsonObject(value);
    return [key, isAnswer ? sortedByKey(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

function canonicalValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(canonicalValue);
  if (!isJsonObject(value)) return value;
  return canonicalObject(value, (key, item) => {
    if (ORDERED.has(key)) return item;
    return withMethodInCapitals(key, canonicalValue(item));
  });
}

/** Sorts all keys of an object, also those that start with `x-`. The values do not change. */
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
