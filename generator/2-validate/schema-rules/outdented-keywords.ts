import type { Place } from "../../model/place.js";
import { notASchema } from "../../model/catalogue/schema.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { quoted } from "../../text/value-words.js";

/**
 * Finds names without a schema whose keywords stand beside them, because they are not indented below them. In such a
 * map, `type` would be a further name whose schema is a text. Seen in readmeio/swagger-inline#215.
 *
 * @param map names with their schemas
 * @returns the keywords of each such name
 */
export function outdentedKeywords(map: JsonObject): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let name: string | undefined;
  for (const [key, value] of Object.entries(map)) {
    if (value === null) name = key;
    else if (name === undefined || !isKeywordValue(key, value, map)) name = undefined;
    else found.set(name, [...(found.get(name) ?? []), key]);
  }
  return found;
}

/** True if a key and its value are a keyword, and not a name with a schema. The mapping under a keyword may be either. */
function isKeywordValue(key: string, value: JsonValue, map: JsonObject): boolean {
  const keyword = KEYWORDS.get(key);
  if (keyword === undefined || !isJsonObject(value)) return keyword !== undefined;
  return keyword.subject !== undefined && keyword.subject === map["type"];
}

/**
 * Reports names without a schema, with the lines of their keywords.
 *
 * @param keyPlace the place of a key of the map
 */
export function namesWithoutSchema(
  outdented: ReadonlyMap<string, readonly string[]>,
  keyPlace: (key: string) => Place,
): Diagnostic[] {
  return [...outdented].map(([key, keywords]) => {
    const name = quoted(key);
    const lines = keywords.map((keyword) => keyPlace(keyword).line);
    const advice =
      lines.length === 1
        ? `line ${lines[0]} is a keyword of it: indent it below ${name}`
        : `lines ${lines[0]} ${lines.length === 2 ? "and" : "to"} ${lines.at(-1)} are keywords of it: indent them below ${name}`;
    return notASchema(keyPlace(key), { found: "empty", name, advice });
  });
}

/** The entries of a map of names to schemas, without names that lack a schema and their keywords. */
export function namedSchemas(
  map: JsonObject,
  outdented: ReadonlyMap<string, readonly string[]>,
): [string, JsonValue][] {
  const skipped = new Set([...outdented].flatMap(([name, keywords]) => [name, ...keywords]));
  return Object.entries(map).filter(([name]) => !skipped.has(name));
}

/** Keywords that no item and no question has as a key of its own. */
const FIRST_KEYWORDS: ReadonlySet<string> = new Set(["type", "properties", "required", "$ref"]);

/**
 * True if a schema is empty and its keywords stand beside it, because they are not indented below it. The check of
 * the structure reports each of them as an unknown key.
 */
export function isBesideItsKeywords(mapping: JsonObject, key: string): boolean {
  if (mapping[key] !== null) return false;
  const keys = Object.keys(mapping);
  return FIRST_KEYWORDS.has(keys[keys.indexOf(key) + 1] ?? "");
}
