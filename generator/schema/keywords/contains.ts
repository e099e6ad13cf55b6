import { undecided, type Comparing, type KeywordCheck } from "../comparison/check.js";
import type { Conjunction } from "../comparison/conjunction.js";
import { keyword, type ObjectNode } from "../comparison/schema-node.js";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import type { BreakingSite, Candidate } from "../instances/breaking-site.js";
import { VALUES_OF_ALL_TYPES } from "../instances/unlike-values.js";
import { isJsonSchema } from "../json-schema.js";
import { movedBelow } from "../finding.js";
import { BOTH_DIALECTS, MODERN_ONLY, type KeywordDefinition } from "./definition.js";

/** The schemas under `contains`, each with the least number of items that must fit it. */
export function containedCounts(
  schemas: readonly JsonObject[],
): { schema: JsonSchema; count: number }[] {
  return schemas.flatMap(({ contains: schema, minContains: least }) =>
    isJsonSchema(schema) ? [{ schema, count: typeof least === "number" ? least : 1 }] : [],
  );
}

function* withoutContained(site: BreakingSite): Generator<Candidate> {
  yield [];
  const addedSchema: JsonObject = { items: { not: site.rule } };
  for (let seed = 0; seed < 4; seed += 1) yield site.build(site.without(), [addedSchema], { seed });
  yield* VALUES_OF_ALL_TYPES.map((value) => [value]);
}

/** Arrays in which `count` items fit, without regard to `minContains` and `maxContains`. */
function* withContained(site: BreakingSite, count: number): Generator<Candidate> {
  const others = site.without("minContains", "maxContains");
  const addedSchema = { contains: site.schema["contains"] ?? true, minContains: count };
  yield site.build(others, [addedSchema, { minItems: count }]);
}

const compareContains: KeywordCheck = (narrow, wide, comparing) => {
  const hasNone = keyword(wide, "contains") === undefined;
  if (hasNone || !narrow.types.has("array")) return [];
  return holdsContains(narrow, wide, comparing) ? [] : [undecided(narrow, wide, "contains")];
};

function holdsContains(narrow: Conjunction, wide: ObjectNode, comparing: Comparing): boolean {
  const isVacuous =
    keyword(wide, "minContains") === 0 && keyword(wide, "maxContains") === undefined;
  return isVacuous || comparing.holdsSame(narrow, wide, ["contains", "minContains", "maxContains"]);
}

/** Its check and comparison also cover `minContains` and `maxContains`. */
export const contains: KeywordDefinition = {
  name: "contains",
  mayContradict: true,
  shape: "schema",
  dialects: BOTH_DIALECTS,
  subject: "array",
  check(value, rule, checking) {
    if (!Array.isArray(value) || !isJsonSchema(rule)) return;
    const attempts = value.map((item) => checking.attempt(rule, item));
    const fitting = [...value.keys()].filter((index) => attempts[index]?.fits === true);
    // As strings, since numbers are the items that keywords such as `items` evaluated in order.
    checking.evaluate(fitting.map(String));
    const least = Number(checking.beside("minContains") ?? 1);
    const most = Number(checking.beside("maxContains") ?? Infinity);
    if (fitting.length >= least && fitting.length <= most) return;
    const limit = most === Infinity ? "" : ` and no more than ${most}`;
    const tried = attempts.map(({ findings }, index) =>
      findings.map((finding) => movedBelow([index], finding)),
    );
    const isTooMany = fitting.length >= least;
    checking.report(`must contain at least ${least}${limit} valid item(s)`, {
      tried,
      ...(isTooMany && { fitting: fitting.length, rule: most }),
    });
  },
  compare: compareContains,
  typedWith: "items",
  hidesFactsOf: ["array"],
  breaking: { candidates: withoutContained },
  problem: ({ fitting, rule }) =>
    fitting === undefined
      ? "must hold more items that fit contains"
      : `must not hold more than ${String(rule)} items that fit contains`,
};

export const maxContains: KeywordDefinition = {
  name: "maxContains",
  shape: "count",
  dialects: MODERN_ONLY,
  subject: "array",
  reportedAs: "contains",
  needs: "contains",
  breaking: { candidates: (site) => withContained(site, Number(site.rule) + 1) },
};

export const minContains: KeywordDefinition = {
  name: "minContains",
  shape: "count",
  dialects: MODERN_ONLY,
  subject: "array",
  reportedAs: "contains",
  needs: "contains",
  typedWith: "items",
  breaking: { candidates: (site) => withContained(site, Number(site.rule) - 1) },
};
