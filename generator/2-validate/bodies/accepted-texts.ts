import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { mayBeginWith, mayHave } from "../../schema/patterns/matched-characters.js";
import { statedTypes } from "./output-types.js";

/** Patterns for the texts of numbers and of formats, which say no less than these. */
const NUMBER = "^-?[0-9.]+(?:e[+-][0-9]+)?$";
const POSITIVE_NUMBER = NUMBER.replace("-?", "");
const FORMATS: Readonly<Record<string, string>> = {
  uuid: "^[0-9A-Za-z]",
  date: "^[0-9][0-9-]*$",
  "date-time": "^[0-9][0-9TZtz :.+-]*$",
  time: "^[0-9][0-9Zz:.+-]*$",
  ipv4: "^[0-9.]+$",
  ipv6: "^[0-9A-Fa-f:.]+$",
  hostname: "^[0-9A-Za-z][0-9A-Za-z.-]*$",
  uri: "^[A-Za-z]",
};

/** All characters of ASCII but those of numbers and times, with which no program, file or option can be named. */
const NAMING = String.fromCharCode(...Array(128).keys()).replace(/[0-9.:+\-TZe]/g, "");

/** True if the author listed all values of a schema, or they are numbers or times: no caller can name anything. */
export function isAuthorsChoice(schema: JsonValue | undefined): boolean {
  return !mayAccept(schema, (pattern) => mayHave(pattern, NAMING));
}

/** True if a value, or an item of a list, may begin with one of some characters. The author's choices do not. */
export function mayValueBeginWith(schema: JsonValue | undefined, characters: string): boolean {
  return mayAccept(schema, (pattern) => mayBeginWith(pattern, characters));
}

/** True if a value, or an item of a list, may have one of some characters. The author's choices do not. */
export function mayValueHave(schema: JsonValue | undefined, characters: string): boolean {
  return mayAccept(schema, (pattern) => mayHave(pattern, characters));
}

/**
 * True if a schema may accept a text of some kind, or if that is not certain.
 *
 * @param isPossible says whether a text that matches a pattern may be of that kind
 */
function mayAccept(
  schema: JsonValue | undefined,
  isPossible: (pattern: string) => boolean,
): boolean {
  if (!isJsonObject(schema)) return schema !== false;
  if ("enum" in schema || "const" in schema) return false;
  const may = (part: JsonValue | undefined): boolean => mayAccept(part, isPossible);
  const [all, any, one] = ["allOf", "anyOf", "oneOf"].map((key) => schema[key]);
  if (Array.isArray(all) && !all.every(may)) return false;
  if ([any, one].some((branches) => Array.isArray(branches) && !branches.some(may))) return false;
  const types = statedTypes(schema);
  if (types.length === 0) return true;
  return types.some((type) => {
    if (type === "boolean" || type === "null") return false;
    return type === "array" ? may(schema["items"]) : patternsOf(schema, type).every(isPossible);
  });
}

/** Patterns that the text of a value of a type matches. */
function patternsOf(schema: JsonObject, type: JsonValue): string[] {
  const { pattern, format, minimum, exclusiveMinimum } = schema;
  if (type === "number" || type === "integer") {
    const isPositive = [minimum, exclusiveMinimum].some(
      (limit) => typeof limit === "number" && limit >= 0,
    );
    return [isPositive ? POSITIVE_NUMBER : NUMBER];
  }
  if (type !== "string") return [];
  const known = typeof format === "string" ? FORMATS[format] : undefined;
  return [pattern, known].filter((one) => typeof one === "string");
}
