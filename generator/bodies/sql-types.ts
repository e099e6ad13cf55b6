import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue, typeOfValue } from "../schema/json-schema.js";
import { statedTypes } from "../schema/keyword-values.js";
import type { UntypedPlace } from "../text/sql-untyped.js";

/**
 * The type of Postgres for an argument at a place that does not tell it. Undefined if the schema does not tell it either,
 * or has a type that the place does not take.
 *
 * @param types the types of JSON that the argument may have
 * @param schema its schema, with references resolved; undefined for variables of templates and arguments of prompts
 */
export function postgresType(
  place: UntypedPlace,
  types: readonly string[],
  schema: JsonObject | undefined,
): string | undefined {
  // A value of any type has a text, and is null where the value is.
  if (place === "null test") return "text";
  const type = typeOf(types, schema);
  const dates = type === "text" ? DATES[String(schema?.["format"])] : undefined;
  const isNumber = type === "bigint" || type === "numeric";
  switch (place) {
    case "any":
      return type;
    case "list":
      return type?.endsWith("[]") === true ? type : undefined;
    case "number":
      return isNumber ? type : undefined;
    case "time":
      return dates;
    case "number or time":
      return isNumber ? type : dates;
  }
}

/**
 * The type of Postgres for a parameter that gets one type together with others, where nothing else tells it. Undefined if
 * Postgres guesses well, or if the parameters have no type in common.
 *
 * @param own the type of the parameter's schema
 * @param types the types of the schemas of all the parameters, its own among them
 * @param besideNumber true if a number stands beside them, which Postgres then takes as their type: an integer has no fraction
 */
export function commonPostgresType(
  own: string | undefined,
  types: ReadonlySet<string | undefined>,
  besideNumber: boolean,
): string | undefined {
  const areNumbers = [...types].every((type) => type === "bigint" || type === "numeric");
  if (besideNumber) return areNumbers && own === "numeric" ? own : undefined;
  // A text is what Postgres takes it for.
  return areNumbers || (types.size === 1 && own !== "text") ? own : undefined;
}

/** A type that a person may mean where the schema does not tell it. */
export const LIKELY_TYPES: Readonly<Record<UntypedPlace, string>> = {
  "null test": "text",
  any: "text",
  list: "text[]",
  number: "numeric",
  time: "timestamptz",
  "number or time": "numeric",
};

const DATES: Readonly<Record<string, string>> = { date: "date", "date-time": "timestamptz" };

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "bigint",
  number: "numeric",
  boolean: "boolean",
  object: "jsonb",
};

/** The type for all values of a schema, apart from null. An integer among numbers is a number. */
function typeOf(types: readonly string[], schema: JsonObject | undefined): string | undefined {
  const stated = types.length > 0 || schema === undefined ? types : typesOf(schema);
  const names = new Set(stated.filter((name) => name !== "null"));
  if (names.has("number")) names.delete("integer");
  const [only] = names;
  if (only === undefined || names.size > 1) return undefined;
  return only === "array" ? listType(schema) : TYPES[only];
}

/** The type for a list. Without a schema, it is the list of texts in the path of a template. */
function listType(schema: JsonObject | undefined): string | undefined {
  if (schema === undefined) return "text[]";
  const items = ownValue(schema, "items");
  const type = isJsonObject(items) ? typeOf([], items) : undefined;
  // Postgres has no type for lists of lists of any length.
  return type === undefined || type.endsWith("[]") ? undefined : `${type}[]`;
}

/** The types of JSON that a schema allows: those that it states, those of its values, or those of its alternatives. */
function typesOf(schema: JsonObject): string[] {
  const stated = statedTypes(schema);
  if (stated.length > 0) return stated.map(String);
  if (Object.hasOwn(schema, "const")) return [typeOfValue(schema["const"] ?? null)];
  const values = ownValue(schema, "enum");
  if (Array.isArray(values)) return values.map(typeOfValue);
  const alternatives = [ownValue(schema, "anyOf") ?? [], ownValue(schema, "oneOf") ?? []].flat();
  const types = alternatives.map((one) => (isJsonObject(one) ? typesOf(one) : []));
  return types.some((some) => some.length === 0) ? [] : types.flat();
}
