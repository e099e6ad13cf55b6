import { finding, type KeywordCheck } from "../comparison/check.js";
import { keyword } from "../comparison/schema-node.js";
import { typesAllowedBy } from "../comparison/value-types.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import { describeValue } from "../../text/value-words.js";
import type { BreakingSite } from "../instances/breaking-site.js";
import { TYPE_NAMES } from "../json-schema.js";
import { VALUES_OF_ALL_TYPES } from "../instances/unlike-values.js";
import { union } from "../types/type-algebra.js";
import {
  ANY,
  ANY_ARRAY,
  ANY_OBJECT,
  arrayType,
  objectType,
  SCALAR_KINDS,
  scalarType,
  type Type,
} from "../types/type-model.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

/** True if a value has a type of JSON Schema; false for a name that is no type. */
export function isOfType(value: JsonValue, type: JsonValue): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function* otherTypes({ value }: BreakingSite): Generator<JsonValue> {
  if (typeof value === "number") yield* [value + 0.5, String(value)];
  yield* VALUES_OF_ALL_TYPES;
  yield [value];
}

/** For each type, values of other types that a careless check would accept. */
const MISTAKEN: ReadonlyMap<JsonValue, readonly JsonValue[]> = new Map<
  JsonValue,
  readonly JsonValue[]
>([
  ["string", [null]],
  ["number", [null]],
  ["integer", ["1"]],
  ["boolean", ["true"]],
  ["null", [0]],
  ["array", [{}]],
  ["object", [[]]],
]);

const compareType: KeywordCheck = (narrow, wide) => {
  const allowed = typesAllowedBy(keyword(wide, "type"));
  const types = new Set([...narrow.types].filter((type) => !allowed.has(type)));
  if (types.size === 0) return [];
  const answer = narrow.isExactFor("any") ? "incompatible" : "unknown";
  return [finding(answer, { kind: "type", types }, narrow, wide, ["type"])];
};

/** The types of single names, which nearly all schemas have. */
const TYPES_OF_NAMES: ReadonlyMap<JsonValue, Type> = new Map(
  TYPE_NAMES.map((name) => [name, typeOfNames([name])]),
);

function typeOfNames(rule: JsonValue[]): Type {
  const names = rule.map((name) => (name === "integer" ? "number" : name));
  if (names.length === 0) return ANY;
  const scalars = SCALAR_KINDS.filter((kind) => names.includes(kind));
  return union([
    ...scalars.map((kind) => scalarType(kind, "every")),
    ...(names.includes("array") ? [arrayType(ANY_ARRAY)] : []),
    ...(names.includes("object") ? [objectType(ANY_OBJECT)] : []),
  ]);
}

/** Removes the named types from a type. `integer` removes nothing, since no type means "a number with a fraction". */
function withoutNamed(type: Type, rule: JsonValue): Type {
  const names = new Set([rule].flat());
  const remaining: Type = {
    scalars: new Map([...type.scalars].filter(([kind]) => !names.has(kind))),
    arrays: names.has("array") ? [] : type.arrays,
    objects: names.has("object") ? [] : type.objects,
    named: type.named,
  };
  return alternativeCount(remaining) === alternativeCount(type) ? type : remaining;
}

const alternativeCount = ({ scalars, arrays, objects }: Type): number =>
  scalars.size + arrays.length + objects.length;

export const type: KeywordDefinition = {
  name: "type",
  shape: "type",
  dialects: BOTH_DIALECTS,
  // json-schema-org/website#195
  adviceFor: (rule) => (rule === null ? 'put the type in quotes: "null"' : undefined),
  check(value, rule, checking) {
    const types = Array.isArray(rule) ? rule : undefined;
    // An empty list of types refuses nothing.
    const fits = types?.some((one) => isOfType(value, one)) ?? isOfType(value, rule);
    if (fits || types?.length === 0) return;
    checking.report(`must be ${types?.join(",") ?? String(rule)}`);
  },
  compare: compareType,
  type: (rule) => TYPES_OF_NAMES.get(rule) ?? typeOfNames([rule].flat()),
  exclude: (values, rule, typing) => withoutNamed(typing.expandNames(values), rule),
  breaking: {
    candidates: otherTypes,
    furtherValues: (rule) => [rule].flat().flatMap((name) => MISTAKEN.get(name) ?? []),
  },
  problem: ({ rule, value }) =>
    `must be of type ${[rule].flat().join(" or ")}, not ${describeValue(value)}`,
};
