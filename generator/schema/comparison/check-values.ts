import { canonicalText } from "../pieces/values.js";
import type { JsonValue } from "../../model/json.js";
import { finding, type KeywordCheck } from "./check.js";
import type { Conjunction } from "./conjunction.js";
import { keyword } from "./schema-node.js";
import { typesNamed } from "./value-types.js";

/** `type` */
export const checkType: KeywordCheck = (narrow, wide) => {
  const allowed = typesNamed(keyword(wide, "type"));
  const types = new Set([...narrow.types].filter((type) => !allowed.has(type)));
  if (types.size === 0) return [];
  const answer = narrow.isExactFor("any") ? "incompatible" : "unknown";
  return [finding(answer, { kind: "type", types }, narrow, wide, ["type"])];
};

/** `enum` and `const` */
export const checkListedValues: KeywordCheck = (narrow, wide) =>
  ["enum", "const"].flatMap((name) => {
    const list = keyword(wide, name);
    if (list === undefined) return [];
    const allowed = name === "const" ? [list] : Array.isArray(list) ? list : [];
    const values = excessValues(narrow, allowed);
    if (values?.length === 0) return [];
    const isCertain = narrow.isExactFor("any") && (values !== undefined || isEndless(narrow));
    const answer = isCertain ? "incompatible" : "unknown";
    return [finding(answer, { kind: "enum", values }, narrow, wide, [name])];
  });

/** The values of the narrow schema that are not among the allowed; undefined where it lists none. */
function excessValues(narrow: Conjunction, allowed: readonly JsonValue[]): JsonValue[] | undefined {
  if (narrow.values === undefined) return undefined;
  const texts = new Set(allowed.map(canonicalText));
  return narrow.values.filter((value) => !texts.has(canonicalText(value)));
}

/** Keywords by which a schema without a list of values may have few all the same. */
const LIMITING = (
  "pattern format maxLength maximum exclusiveMaximum multipleOf maxItems maxProperties " +
  "required properties additionalProperties items prefixItems"
).split(" ");

function isEndless(narrow: Conjunction): boolean {
  return LIMITING.every((name) => narrow.valuesOf(name).length === 0);
}
