import type { KeywordCheck } from "../comparison/check.js";
import { asUndecided } from "../comparison/finding.js";
import { schemaUnder } from "../comparison/schema-node.js";
import { isJsonSchema } from "../json-schema.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

const clause = (name: string): KeywordDefinition => ({
  name,
  shape: "schema",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
});

const compareCondition: KeywordCheck = (narrow, wide, comparing) => {
  const condition = schemaUnder(wide, "if");
  if (condition === undefined) return [];
  if (comparing.holdsSame(narrow, wide, ["if", "then", "else"])) return [];
  const passed = schemaUnder(wide, "then");
  const failed = schemaUnder(wide, "else");
  const found = [
    ...(passed === undefined ? [] : comparing.compareBeside(narrow.with(condition), passed)),
    ...(failed === undefined ? [] : comparing.compareBeside(narrow, failed)),
  ];
  return asUndecided(found, "if");
};

/** `if` decides which of the two beside it applies, and does what there is to do for all three. */
export const condition: KeywordDefinition = {
  ...clause("if"),
  isTentative: true,
  compare: compareCondition,
  hidesFactsOf: ["any"],
  check(_value, rule, checking) {
    if (!isJsonSchema(rule)) return;
    const { fits, evaluated } = checking.attempt(rule);
    if (fits) checking.evaluate(evaluated);
    const name = fits ? "then" : "else";
    const chosen = checking.beside(name);
    if (!isJsonSchema(chosen)) return;
    const attempt = checking.attempt(chosen);
    checking.evaluate(attempt.evaluated);
    if (!attempt.fits) checking.report(`must match "${name}" schema`, { tried: [attempt.found] });
  },
};

export const consequence = clause("then");
export const alternative = clause("else");
