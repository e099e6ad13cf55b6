import { isJsonSchema } from "../json-schema.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

const clause = (name: string): KeywordDefinition => ({
  name,
  shape: "schema",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
});

/** `if` decides which of the two beside it applies, and does what there is to do for all three. */
export const condition: KeywordDefinition = {
  ...clause("if"),
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
