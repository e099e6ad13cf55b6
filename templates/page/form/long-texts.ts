import { isObject, longestMatched } from "./schema.js";

/** Keywords whose values are data, whatever they look like. */
const data: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Keywords whose members have names of the schema's own. */
const named: ReadonlySet<string> = new Set([
  ...["properties", "$defs", "definitions", "dependentSchemas", "dependencies"],
]);

/** Keywords that read texts character by character. */
const matching: ReadonlySet<string> = new Set(["pattern", "format", "patternProperties"]);

/** Keywords about the members that no pattern describes. */
const aboutOthers: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

/** Whether a value holds a text, or a member with a name, that is too long to be matched. */
export function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return value.length > longestMatched;
  if (Array.isArray(value)) return value.some(hasLongText);
  if (!isObject(value)) return false;
  return Object.entries(value).some((entry) => entry.some(hasLongText));
}

/** What a schema says of texts beside what they look like. */
export function withoutMatching(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutMatching);
  if (!isObject(schema)) return schema;
  const hasPatterns = Object.hasOwn(schema, "patternProperties");
  const kept = Object.entries(schema).filter(
    ([keyword]) => !matching.has(keyword) && !(hasPatterns && aboutOthers.has(keyword)),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, partOf(keyword, value)]));
}

function partOf(keyword: string, value: unknown): unknown {
  if (data.has(keyword)) return value;
  if (!named.has(keyword) || !isObject(value)) return withoutMatching(value);
  const members = Object.entries(value).map(([name, member]) => [name, withoutMatching(member)]);
  return Object.fromEntries(members);
}
