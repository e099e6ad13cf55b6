import type { JsonValue } from "../../model/json.js";
import { typeOfValue } from "../json-schema.js";

/** The types of JSON Schema, with `number` split into `integer` and `fraction`, so that no two overlap. */
export type ValueType = "null" | "boolean" | "object" | "array" | "integer" | "fraction" | "string";

export const ALL_TYPES: ReadonlySet<ValueType> = new Set([
  "null",
  "boolean",
  "object",
  "array",
  "integer",
  "fraction",
  "string",
]);

/** The types that the value of `type` allows; all types if the value is neither a name nor a list. */
export function typesAllowedBy(type: JsonValue | undefined): ReadonlySet<ValueType> {
  if (typeof type !== "string" && !Array.isArray(type)) return ALL_TYPES;
  const names = Array.isArray(type) ? type : [type];
  return new Set(
    names.flatMap((name) => (name === "number" ? NUMBERS : isType(name) ? [name] : [])),
  );
}

export const NUMBERS = ["integer", "fraction"] as const satisfies readonly ValueType[];

function isType(name: JsonValue): name is ValueType {
  return name !== "fraction" && ALL_TYPES.has(name as ValueType);
}

/** The type of a value in a comparison. */
export function comparedTypeOf(value: JsonValue): ValueType {
  const type = typeOfValue(value);
  return type === "number" ? "fraction" : type;
}

/** The names of types for a message: `string or number`. */
export function typeWords(types: ReadonlySet<ValueType>): string {
  const isNumber = NUMBERS.every((type) => types.has(type));
  const words = [...types]
    .filter((type) => !(isNumber && type === "fraction"))
    .map((type) => {
      if (type === "fraction") return "a number that is not whole";
      return type === "integer" && isNumber ? "number" : type;
    });
  return words.join(" or ");
}
