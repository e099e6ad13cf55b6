import type { KeywordCheck } from "../comparison/check.js";
import { keyword } from "../comparison/schema-node.js";
import { refusedValues } from "./refused-values.js";
import type { JsonObject } from "../../model/json.js";
import { findDuplicate } from "../values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

/** Returns "uniqueItems" if a schema compares all items of an array of unbounded length with each other. */
export function unboundedComparison(schema: JsonObject): string | undefined {
  const isUnbounded = requiresUniqueItems(schema) && !Object.hasOwn(schema, "maxItems");
  return isUnbounded ? "uniqueItems" : undefined;
}

/** True if the items of an array must all be different. */
export function requiresUniqueItems(schema: JsonObject): boolean {
  return schema["uniqueItems"] === true;
}

const compareUnique: KeywordCheck = (narrow, wide) => {
  if (keyword(wide, "uniqueItems") !== true || !narrow.types.has("array")) return [];
  if (narrow.valuesOf("uniqueItems").includes(true)) return [];
  if ((narrow.least("maxItems") ?? Infinity) <= 1) return [];
  const isOpen = ["items", "prefixItems"].every((name) => narrow.valuesOf(name).length === 0);
  const isCertain = narrow.values === undefined && isOpen && narrow.isExactFor("array");
  return [refusedValues(isCertain, narrow, wide, "uniqueItems")];
};

export const uniqueItems: KeywordDefinition = {
  name: "uniqueItems",
  shape: "boolean",
  dialects: BOTH_DIALECTS,
  subject: "array",
  check(value, rule, checking) {
    const duplicate = rule === true && Array.isArray(value) ? findDuplicate(value) : undefined;
    if (duplicate === undefined) return;
    const { first, repeated } = duplicate;
    checking.report(
      `must NOT have duplicate items (items ## ${first} and ${repeated} are identical)`,
    );
  },
  words: {
    table: (schema) => (requiresUniqueItems(schema) ? ["no item twice"] : []),
    comment: (schema) => (requiresUniqueItems(schema) ? ["no two items equal"] : []),
  },
  compare: compareUnique,
  breaking: {
    isConstraint: (rule) => rule === true,
    candidates({ value }) {
      if (!Array.isArray(value) || value[0] === undefined) return [];
      return [value.with(value.length - 1, value[0]), [value[0], ...value]];
    },
  },
  problem: () => "must not hold the same item twice",
};
