import { isJsonObject, type JsonValue } from "../../model/json.js";
import { mayBeginWith, mayHave } from "../../schema/patterns/matched-characters.js";
import { statedTypes } from "../../schema/keyword-values.js";

/** Patterns for the texts of formats, which say no less than these. */
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
export const isAuthorsChoice = (schema: JsonValue | undefined): boolean =>
  !mayValueHave(schema, NAMING);

/** True if a value, or an item of a list, may begin with one of some characters. The author's choices do not. */
export const mayValueBeginWith = (schema: JsonValue | undefined, characters: string): boolean =>
  mayAccept(schema, (pattern) => mayBeginWith(pattern, characters));

/** True if a value, or an item of a list, may have one of some characters. The author's choices do not. */
export const mayValueHave = (schema: JsonValue | undefined, characters: string): boolean =>
  mayAccept(schema, (pattern) => mayHave(pattern, characters));

/** True if a schema may accept a text whose patterns are all possible, or if that is not certain. */
function mayAccept(
  schema: JsonValue | undefined,
  isPossible: (pattern: string) => boolean,
): boolean {
  if (!isJsonObject(schema)) return schema !== false;
  const { allOf = [], anyOf, oneOf, items, pattern, format, minimum, exclusiveMinimum } = schema;
  if ("enum" in schema || "const" in schema) return false;
  const may = (part: JsonValue | undefined): boolean => mayAccept(part, isPossible);
  if (Array.isArray(allOf) && !allOf.every(may)) return false;
  const branches = [anyOf, oneOf].filter((one) => Array.isArray(one));
  if (!branches.every((one) => one.some(may))) return false;
  const isPositive = [minimum, exclusiveMinimum].some((one) => typeof one === "number" && one >= 0);
  const numbers = `^${isPositive ? "" : "-?"}[0-9.]+(?:e[+-][0-9]+)?$`;
  const texts = [pattern, FORMATS[String(format)]].filter((one) => typeof one === "string");
  const types = statedTypes(schema);
  return (
    types.length === 0 ||
    (types.includes("array") && may(items)) ||
    (types.includes("string") && texts.every(isPossible)) ||
    (["number", "integer"].some((type) => types.includes(type)) && isPossible(numbers))
  );
}
