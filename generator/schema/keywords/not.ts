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

export const not: KeywordDefinition = {
  name: "not",
  shape: "schema",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
  check(_value, rule, checking) {
    if (isJsonSchema(rule) && checking.attempt(rule).fits) checking.report("must NOT be valid");
  },
  breaking: { candidates: forbiddenValues },
  problem: () => "fits what the schema excludes",
};
