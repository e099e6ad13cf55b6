import type { JsonObject, JsonValue } from "../../model/json.js";
import { meets } from "../interpret.js";
import { KEYWORDS } from "../keywords/index.js";

/**
 * Whether a number or a string meets the schema's keywords for its type. Ignores `type` itself and the keywords that
 * combine schemas: the finished instance is checked against those.
 */
export function meetsTypeKeywords(value: JsonValue, schema: JsonObject): boolean {
  for (const name of Object.keys(schema)) {
    const definition = KEYWORDS.get(name);
    if (definition === undefined) continue;
    if (definition.subject !== typeof value && name !== "format") continue;
    if (!meets(value, { definition, rule: schema[name] ?? null })) return false;
  }
  return true;
}
