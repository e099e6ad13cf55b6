import { undecided, type KeywordCheck } from "../comparison/check.js";
import { schemaUnder } from "../comparison/schema-node.js";
import { conjunctionOf } from "./compare-alternatives.js";
import { isJsonSchema } from "../json-schema.js";
import type { BreakingSite, Candidate } from "../instances/breaking-site.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

function* forbiddenValues(site: BreakingSite): Generator<Candidate> {
  if (!isJsonSchema(site.rule)) return;
  for (const properties of ["required", "all"] as const) {
    for (let alternative = 0; alternative < 3; alternative += 1) {
      yield site.build(site.without(), [site.rule], { bound: "low", properties, alternative });
    }
  }
}

const compareNot: KeywordCheck = (narrow, wide, comparing) => {
  const refused = schemaUnder(wide, "not");
  if (refused === undefined || comparing.holdsSame(narrow, wide, ["not"])) return [];
  return comparing.areDisjoint(narrow, conjunctionOf(refused))
    ? []
    : [undecided(narrow, wide, "not")];
};

export const not: KeywordDefinition = {
  name: "not",
  shape: "schema",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
  isTentative: true,
  check(_value, rule, checking) {
    if (isJsonSchema(rule) && checking.attempt(rule).fits) checking.report("must NOT be valid");
  },
  compare: compareNot,
  narrow: (type, rule, typing) => (isJsonSchema(rule) ? typing.without(type, rule) : type),
  exclude: (type, rule, typing) =>
    isJsonSchema(rule) ? typing.intersect(type, typing.typeOf(rule)) : type,
  hidesFactsOf: ["any"],
  breaking: { candidates: forbiddenValues },
  problem: () => "fits what the schema excludes",
};
