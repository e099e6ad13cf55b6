import { isObject, longestMatched } from "./schema.js";

/** Keywords whose values are data, not schemas. */
const data: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Keywords with an object of schemas whose names the schema chooses. */
const schemaMaps: ReadonlySet<string> = new Set([
  ...["properties", "$defs", "definitions", "dependentSchemas", "dependencies"],
]);

/** Keywords that match texts with a pattern. */
const matchingKeywords: ReadonlySet<string> = new Set(["pattern", "format", "patternProperties"]);

/** Keywords for the members that no pattern describes. */
const otherMembers: ReadonlySet<string> = new Set([
  "additionalProperties",
  "unevaluatedProperties",
]);

/** Whether a value contains a text or a member name that is too long to be matched. */
export function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return value.length > longestMatched;
  if (Array.isArray(value)) return value.some(hasLongText);
  if (!isObject(value)) return false;
  return Object.entries(value).some((entry) => entry.some(hasLongText));
}

/** A schema without the keywords that match texts with a pattern. */
export function withoutMatching(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutMatching);
  if (!isObject(schema)) return schema;
  const hasPatterns = Object.hasOwn(schema, "patternProperties");
  const kept = Object.entries(schema).filter(
    ([keyword]) => !matchingKeywords.has(keyword) && !(hasPatterns && otherMembers.has(keyword)),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, withoutMatchingIn(keyword, value)]),
  );
}

function withoutMatchingIn(keyword: string, value: unknown): unknown {
  if (data.has(keyword)) return value;
  if (!schemaMaps.has(keyword) || !isObject(value)) return withoutMatching(value);
  const members = Object.entries(value).map(([name, member]) => [name, withoutMatching(member)]);
  return Object.fromEntries(members);
}
