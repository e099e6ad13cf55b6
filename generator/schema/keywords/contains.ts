import { isJsonSchema } from "../json-schema.js";
import { movedBelow } from "../finding.js";
import { BOTH_DIALECTS, MODERN_ONLY, type KeywordDefinition } from "./definition.js";

/** Does what there is to do for its two limits as well. */
export const contains: KeywordDefinition = {
  name: "contains",
  shape: "schema",
  dialects: BOTH_DIALECTS,
  subject: "array",
  check(value, rule, checking) {
    if (!Array.isArray(value) || !isJsonSchema(rule)) return;
    const attempts = value.map((item) => checking.attempt(rule, item));
    const fitting = [...value.keys()].filter((index) => attempts[index]?.fits === true);
    // As names: the indexes are those that items evaluate one after the other.
    checking.evaluate(fitting.map(String));
    const least = Number(checking.beside("minContains") ?? 1);
    const most = Number(checking.beside("maxContains") ?? Infinity);
    if (fitting.length >= least && fitting.length <= most) return;
    const limit = most === Infinity ? "" : ` and no more than ${most}`;
    const tried = attempts.map(({ found }, index) =>
      found.map((finding) => movedBelow([index], finding)),
    );
    const isTooMany = fitting.length >= least;
    checking.report(`must contain at least ${least}${limit} valid item(s)`, {
      tried,
      ...(isTooMany && { keyword: "maxContains", rule: most }),
    });
  },
  problem: () => "must hold more items that fit contains",
};

export const maxContains: KeywordDefinition = {
  name: "maxContains",
  shape: "count",
  dialects: MODERN_ONLY,
  subject: "array",
  problem: ({ rule }) => `must not hold more than ${String(rule)} items that fit contains`,
};

export const minContains: KeywordDefinition = {
  name: "minContains",
  shape: "count",
  dialects: MODERN_ONLY,
  subject: "array",
};
