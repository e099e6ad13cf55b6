import { finding, type KeywordCheck } from "../comparison/check.js";
import type { Conjunction } from "../comparison/conjunction.js";
import type { Finding } from "../comparison/finding.js";
import { keyword, type ObjectNode } from "../comparison/schema-node.js";
import type { JsonValue } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import { describeValue } from "../../text/value-words.js";
import { unlikeValues } from "../instances/unlike-values.js";
import { union } from "../types/type-algebra.js";
import {
  ANY,
  literalType,
  type ScalarKind,
  type ScalarSet,
  type Type,
} from "../types/type-model.js";
import { canonicalText, isEqual } from "../values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

/** The most values of an `enum` that a message lists. */
const MAX_LISTED = 6;

const textsOf = onceForEach((values: JsonValue[]) => new Set(values.map(canonicalText)));

function listInWords(values: readonly JsonValue[]): string {
  const words = values.slice(0, MAX_LISTED).map((value) => describeValue(value));
  return values.length > MAX_LISTED ? `${words.join(", ")}, …` : words.join(", ");
}

/** @param allowed the values that the wide schema lists */
function compareListed(
  narrow: Conjunction,
  wide: ObjectNode,
  name: string,
  allowed: readonly JsonValue[],
): Finding[] {
  const values = excessValues(narrow, allowed);
  if (values?.length === 0) return [];
  const isCertain = narrow.isExactFor("any") && (values !== undefined || isEndless(narrow));
  const answer = isCertain ? "incompatible" : "unknown";
  return [finding(answer, { kind: "enum", values }, narrow, wide, [name])];
}

/** The values of the narrow schema that are not among the allowed ones; undefined if it lists no values. */
function excessValues(narrow: Conjunction, allowed: readonly JsonValue[]): JsonValue[] | undefined {
  if (narrow.values === undefined) return undefined;
  const texts = new Set(allowed.map(canonicalText));
  return narrow.values.filter((value) => !texts.has(canonicalText(value)));
}

/** True if the keywords of a schema that lists no values leave it many values. */
function isEndless(narrow: Conjunction): boolean {
  return narrow.keywords.every(({ mayLeaveFew }) => mayLeaveFew !== true);
}

const compareEnumeration: KeywordCheck = (narrow, wide) => {
  const values = keyword(wide, "enum");
  if (values === undefined) return [];
  return compareListed(narrow, wide, "enum", Array.isArray(values) ? values : []);
};

const compareConstant: KeywordCheck = (narrow, wide) => {
  const value = keyword(wide, "const");
  return value === undefined ? [] : compareListed(narrow, wide, "const", [value]);
};

/** Removes the scalars among `values` from a type; arrays and objects among them are not removed. */
function withoutScalars(type: Type, values: readonly JsonValue[]): Type {
  const removedScalars = union(values.map(literalType)).scalars;
  const scalars = new Map(type.scalars);
  for (const [kind, set] of type.scalars) {
    const remainingSet = remaining(kind, set, removedScalars.get(kind));
    if (remainingSet === "every" || remainingSet.size > 0) scalars.set(kind, remainingSet);
    else scalars.delete(kind);
  }
  const isSame = [...type.scalars].every(([kind, set]) => scalars.get(kind) === set);
  return isSame ? type : { ...type, scalars };
}

const BOOLEANS: ReadonlySet<string> = new Set(["true", "false"]);
const NONE: ReadonlySet<string> = new Set();

function remaining(kind: ScalarKind, set: ScalarSet, removedLiterals: ScalarSet = NONE): ScalarSet {
  if (removedLiterals === "every") return NONE;
  const literals = set === "every" && kind === "boolean" ? BOOLEANS : set;
  if (literals === "every" || removedLiterals.size === 0) return set;
  return new Set([...literals].filter((literal) => !removedLiterals.has(literal)));
}

export const enumeration: KeywordDefinition = {
  name: "enum",
  shape: "list",
  dialects: BOTH_DIALECTS,
  check(value, rule, checking) {
    if (!Array.isArray(rule) || textsOf(rule).has(canonicalText(value))) return;
    const params = { allowedValues: rule };
    checking.report("must be equal to one of the allowed values", { params });
  },
  compare: compareEnumeration,
  type: (rule) => (Array.isArray(rule) ? union(rule.map(literalType)) : ANY),
  exclude: (type, rule, typing) =>
    withoutScalars(typing.expandNames(type), Array.isArray(rule) ? rule : []),
  breaking: { candidates: unlikeValues },
  problem: ({ rule, value }) =>
    `must be one of ${listInWords(rule as JsonValue[])}, not ${describeValue(value)}`,
};

export const constant: KeywordDefinition = {
  name: "const",
  shape: "any",
  dialects: BOTH_DIALECTS,
  check(value, rule, checking) {
    if (isEqual(value, rule)) return;
    checking.report("must be equal to constant", { params: { allowedValue: rule } });
  },
  compare: compareConstant,
  type: literalType,
  exclude: (type, rule, typing) => withoutScalars(typing.expandNames(type), [rule]),
  breaking: { candidates: unlikeValues },
  problem: ({ rule, value }) => `must be ${describeValue(rule)}, not ${describeValue(value)}`,
};
