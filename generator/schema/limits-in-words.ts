import type { JsonObject } from "../model/json.js";
import type { Words } from "./keywords/definition.js";
import { KEYWORDS } from "./keywords/index.js";

/** The few keywords that have words, in the order of all keywords. */
const DESCRIBED = [...KEYWORDS.values()].filter(({ words }) => words !== undefined);

/** Describes the limits, formats and patterns of a schema in words, in the order of the keywords. */
export function limitsInWords(schema: JsonObject, kind: keyof Words): string[] {
  const present = DESCRIBED.filter(({ name }) => Object.hasOwn(schema, name));
  // Keywords that are described together, such as `minimum` and `maximum`, share one object.
  const words = new Set(present.map((keyword) => keyword.words));
  return [...words].flatMap((group) => group?.[kind](schema) ?? []);
}
