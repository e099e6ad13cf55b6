import type { JsonObject } from "../model/json.js";
import type { Words } from "./keywords/definition.js";
import { KEYWORDS } from "./keywords/index.js";

/** What a schema says of its values in words, beside their type: limits, formats and patterns. */
export function limitsInWords(schema: JsonObject, kind: keyof Words): string[] {
  const families = [...KEYWORDS.values()]
    .filter(({ name }) => Object.hasOwn(schema, name))
    .map(({ words }) => words);
  return [...new Set(families)].flatMap((words) => words?.[kind](schema) ?? []);
}
