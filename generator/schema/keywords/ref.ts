import { BOTH_DIALECTS, MODERN_ONLY, type KeywordDefinition } from "./definition.js";

const reference = (name: string, dialects: KeywordDefinition["dialects"]): KeywordDefinition => ({
  name,
  shape: "string",
  dialects,
  appliesInPlace: true,
  check(_value, rule, checking) {
    checking.applyReference(String(rule));
  },
});

export const ref = reference("$ref", BOTH_DIALECTS);

/** A schema without `$id` is a single resource, hence it leads where `$ref` would. */
export const dynamicRef = reference("$dynamicRef", MODERN_ONLY);
