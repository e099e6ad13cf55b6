import { isObject, maxPatternLength } from "./schema.js";

/** Keywords whose values are data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Keywords with an object of schemas whose names the schema chooses. */
const schemaMapKeywords: ReadonlySet<string> = new Set([
  ...["properties", "$defs", "definitions", "dependentSchemas", "dependencies"],
]);

/** Keywords that match texts with a pattern. */
const patternKeywords: ReadonlySet<string> = new Set(["pattern", "format", "patternProperties"]);

/** Keywords for the members that no pattern describes. */
const otherMemberKeywords: ReadonlySet<string> = new Set([
  "additionalProperties",
  "unevaluatedProperties",
]);

/** Whether a value contains a text or a member name that is too long to be matched with a pattern. */
export function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return value.length > maxPatternLength;
  if (Array.isArray(value)) return value.some(hasLongText);
  if (!isObject(value)) return false;
  return Object.entries(value).some((entry) => entry.some(hasLongText));
}

/** A schema without the keywords that match texts with a pattern. */
export function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isObject(schema)) return schema;
  const hasPatterns = Object.hasOwn(schema, "patternProperties");
  const keptEntries = Object.entries(schema).filter(
    ([keyword]) =>
      !patternKeywords.has(keyword) && !(hasPatterns && otherMemberKeywords.has(keyword)),
  );
  return Object.fromEntries(
    keptEntries.map(([keyword, value]) => [keyword, withoutPatternsIn(keyword, value)]),
  );
}

function withoutPatternsIn(keyword: string, value: unknown): unknown {
  if (dataKeywords.has(keyword)) return value;
  if (!schemaMapKeywords.has(keyword) || !isObject(value)) return withoutPatterns(value);
  const members = Object.entries(value).map(([name, member]) => [name, withoutPatterns(member)]);
  return Object.fromEntries(members);
}
