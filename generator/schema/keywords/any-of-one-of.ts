import { compareAlternatives } from "./compare-alternatives.js";
import type { JsonValue } from "../../model/json.js";
import { schemasIn } from "../read-schema.js";
import type { BreakingSite, Candidate } from "../instances/breaking-site.js";
import { unlikeValues } from "../instances/unlike-values.js";
import { union } from "../types/type-algebra.js";
import {
  BOTH_DIALECTS,
  type Attempt,
  type Checking,
  type KeywordDefinition,
} from "./definition.js";

/** What both have in common. That only one alternative of `oneOf` may hold cannot be said in a type. */
const alternatives = {
  shape: "schema list",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
  reportsTried: "closest",
  type: (rule, typing) => union(schemasIn(rule).map((alternative) => typing.typeOf(alternative))),
} as const satisfies Partial<KeywordDefinition>;

/** What the alternatives find. What those that fit evaluate counts. */
function attempts(rule: JsonValue, checking: Checking): Attempt[] {
  const all = schemasIn(rule).map((alternative) => checking.attempt(alternative));
  for (const { fits, evaluated } of all) if (fits) checking.evaluate(evaluated);
  return all;
}

const triedIn = (all: readonly Attempt[]): Attempt["found"][] =>
  all.filter(({ fits }) => !fits).map(({ found }) => found);

export const anyOf: KeywordDefinition = {
  name: "anyOf",
  ...alternatives,
  check(_value, rule, checking) {
    const all = attempts(rule, checking);
    if (all.some(({ fits }) => fits)) return;
    checking.report("must match a schema in anyOf", { tried: triedIn(all), fitting: 0 });
  },
  compare: compareAlternatives("anyOf"),
  exclude: (type, rule, typing) =>
    schemasIn(rule).reduce((rest, alternative) => typing.without(rest, alternative), type),
  breaking: { candidates: unlikeValues },
  problem: () => "fits none of the alternatives of anyOf",
};

/** Values for two branches at once. */
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
    const all = attempts(rule, checking);
    const fitting = all.flatMap(({ fits }, index) => (fits ? [index + 1] : []));
    if (fitting.length === 1) return;
    const message = "must match exactly one schema in oneOf";
    if (fitting.length === 0) return checking.report(message, { tried: triedIn(all), fitting: 0 });
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
