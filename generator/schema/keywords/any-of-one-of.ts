import { compareAlternatives } from "./compare-alternatives.js";
import type { JsonValue } from "../../model/json.js";
import { acceptsAll } from "../assertions.js";
import { schemasIn } from "../keyword-values.js";
import type { BreakingSite, Candidate } from "../instances/breaking-site.js";
import { unlikeValues } from "../instances/unlike-values.js";
import { union } from "../types/type-algebra.js";
import {
  BOTH_DIALECTS,
  type Attempt,
  type Checking,
  type KeywordDefinition,
} from "./definition.js";

/** What `anyOf` and `oneOf` have in common. A type cannot say that only one alternative may fit. */
const alternatives = {
  shape: "schema list",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
  reportsTried: "closest",
  type: (rule, typing) => union(schemasIn(rule).map((alternative) => typing.typeOf(alternative))),
} as const satisfies Partial<KeywordDefinition>;

/** Tries every alternative, and counts as evaluated what the fitting ones evaluated. */
function tryAlternatives(rule: JsonValue, checking: Checking): Attempt[] {
  const attempts = schemasIn(rule).map((alternative) => checking.attempt(alternative));
  for (const { fits, evaluated } of attempts) if (fits) checking.evaluate(evaluated);
  return attempts;
}

const failedFindings = (attempts: readonly Attempt[]): Attempt["findings"][] =>
  attempts.filter(({ fits }) => !fits).map(({ findings }) => findings);

export const anyOf: KeywordDefinition = {
  name: "anyOf",
  ...alternatives,
  check(_value, rule, checking) {
    const attempts = tryAlternatives(rule, checking);
    if (attempts.some(({ fits }) => fits)) return;
    checking.report("must match a schema in anyOf", {
      tried: failedFindings(attempts),
      fitting: 0,
    });
  },
  isVacuous: (rule) => schemasIn(rule).some(acceptsAll),
  compare: compareAlternatives("anyOf"),
  exclude: (type, rule, typing) =>
    schemasIn(rule).reduce((remaining, schema) => typing.without(remaining, schema), type),
  breaking: { candidates: unlikeValues },
  problem: () => "fits none of the alternatives of anyOf",
};

/** Values that may fit two branches at once. */
function* severalBranches(site: BreakingSite): Generator<Candidate> {
  const branches = schemasIn(site.rule).slice(0, 4);
  const others = site.without();
  for (const [index, branch] of branches.entries()) {
    for (const other of branches.slice(index + 1)) {
      yield site.build(others, [branch, other], { properties: "required" });
    }
  }
}

export const oneOf: KeywordDefinition = {
  name: "oneOf",
  ...alternatives,
  check(_value, rule, checking) {
    const attempts = tryAlternatives(rule, checking);
    const fitting = attempts.flatMap(({ fits }, index) => (fits ? [index + 1] : []));
    if (fitting.length === 1) return;
    const message = "must match exactly one schema in oneOf";
    if (fitting.length === 0) {
      return checking.report(message, { tried: failedFindings(attempts), fitting: 0 });
    }
    const numbers = fitting.slice(0, 2).join(" and ");
    checking.report(`${message}, but matches numbers ${numbers}`, { fitting: fitting.length });
  },
  compare: compareAlternatives("oneOf"),
  breaking: {
    *candidates(site) {
      yield* severalBranches(site);
      yield* unlikeValues(site);
    },
  },
  problem: ({ fitting = 0 }) =>
    `fits ${fitting > 1 ? "more than one" : "none"} of the alternatives of oneOf`,
};
