import { finding, type KeywordCheck } from "../comparison/check.js";
import { keyword } from "../comparison/schema-node.js";
import { typesNamed } from "../comparison/value-types.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import { describeValue } from "../../text/value-words.js";
import type { BreakingSite } from "../instances/breaking-site.js";
import { VALUES_OF_ALL_TYPES } from "../instances/unlike-values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

/** Whether a value is of a type of JSON Schema; of a name that is none, nothing is. */
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

const compareType: KeywordCheck = (narrow, wide) => {
  const allowed = typesNamed(keyword(wide, "type"));
  const types = new Set([...narrow.types].filter((type) => !allowed.has(type)));
  if (types.size === 0) return [];
  const answer = narrow.isExactFor("any") ? "incompatible" : "unknown";
  return [finding(answer, { kind: "type", types }, narrow, wide, ["type"])];
};

export const type: KeywordDefinition = {
  name: "type",
  shape: "type",
  dialects: BOTH_DIALECTS,
  adviceFor: (rule) => (rule === null ? 'put the type in quotes: "null"' : undefined),
  check(value, rule, checking) {
    const types = [rule].flat();
    // No type at all is none that is missing.
    if (types.length === 0 || types.some((one) => isOfType(value, one))) return;
    checking.report(`must be ${types.join(",")}`);
  },
  compare: compareType,
  breaking: { candidates: otherTypes },
  problem: ({ rule, value }) =>
    `must be of type ${[rule].flat().join(" or ")}, not ${describeValue(value)}`,
};
