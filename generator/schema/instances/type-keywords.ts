import type { JsonObject, JsonValue } from "../../model/json.js";
import { meets } from "../interpret.js";
import { KEYWORDS } from "../keywords/index.js";

/**
 * Whether a number or a text meets the keywords of a schema for its type, its type and what combines schemas aside:
 * the values of a place are made one keyword after the other, and proved in the end.
 */
export function meetsOwnKeywords(value: JsonValue, schema: JsonObject): boolean {
  for (const name of Object.keys(schema)) {
    const definition = KEYWORDS.get(name);
    if (definition === undefined) continue;
    if (definition.subject !== typeof value && name !== "format") continue;
    if (!meets(value, { definition, rule: schema[name] ?? null })) return false;
  }
  return true;
}
