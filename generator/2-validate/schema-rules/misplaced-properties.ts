import type { Place } from "../../model/place.js";
import { wrongKeywordValue } from "../../model/catalogue/schema.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { isJsonSchema, ownValue, TYPE_NAMES } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { quoted } from "../../text/value-words.js";
import type { SchemaNode } from "./schema-document.js";

/**
 * Properties that are not indented to stand under `properties` (RepreZen/KaiZen-OpenAPI-Editor#350), and keywords that
 * are indented too far (jhthorsen/json-validator#51, pboettch/json-schema-validator#61).
 */

/** The properties that stand beside an empty `properties`, since they are not indented below it. */
export function outdentedProperties(schema: JsonObject): readonly string[] {
  if (ownValue(schema, "properties") !== null) return [];
  const keys = Object.keys(schema);
  const following = keys.slice(keys.indexOf("properties") + 1);
  return following.filter((key) => !KEYWORDS.has(key) && isJsonObject(schema[key]));
}

/** Reports an empty `properties`, with the properties beside it. */
export function emptyProperties(outdented: readonly string[], place: Place): Diagnostic {
  const names = [outdented[0] ?? "", ...outdented.slice(1).slice(-1)].map(quoted);
  return wrongKeywordValue(place, {
    keyword: "properties",
    expected: "a mapping of names to schemas",
    found: "empty",
    advice: `indent ${names.join(outdented.length === 2 ? " and " : " to ")} below it`,
  });
}

/** Advice for a key of a schema that is no keyword, and that has a schema like a property. */
export function adviceForProperty(value: JsonValue, node: SchemaNode): string | undefined {
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  if (keys.length === 0 || !keys.every((key) => KEYWORDS.has(key))) return undefined;
  const isObject = Object.hasOwn(node.schema, "properties") || node.schema["type"] === "object";
  if (isObject) return 'a property stands under "properties": indent it below that';
  const [map, name] = node.path.slice(-2);
  return map === "properties" && node.path.length > 1
    ? `outdent it to stand beside ${quoted(String(name))}, if it is a property as well`
    : undefined;
}

/**
 * True if an entry of `properties` is a keyword of the schema around it, which is indented too far. What may be the
 * schema of a property of that name is no such entry.
 */
export function isIndentedKeyword(name: string, value: JsonValue, schema: JsonObject): boolean {
  const keyword = KEYWORDS.get(name);
  if (keyword === undefined || isJsonObject(value) || value === null) return false;
  if (Object.hasOwn(schema, name)) return false;
  if (typeof value === "boolean") return keyword.shape === "schema" && keyword.subject === "object";
  // The name of a type is the short form of a schema in RAML.
  const isType = (TYPE_NAMES as readonly JsonValue[]).includes(value);
  return isType ? name === "type" && value === "object" : !isJsonSchema(value);
}
