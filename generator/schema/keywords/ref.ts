import { BOTH_DIALECTS, MODERN_ONLY, type KeywordDefinition } from "./definition.js";

const reference = (name: string, dialects: KeywordDefinition["dialects"]): KeywordDefinition => ({
  name,
  shape: "string",
  dialects,
  appliesInPlace: true,
  isReference: true,
  type: (rule, typing) => typing.typeOfReference(String(rule)),
  check(_value, rule, checking) {
    checking.applyReference(String(rule));
  },
});

export const ref: KeywordDefinition = {
  ...reference("$ref", BOTH_DIALECTS),
  defaults: (rule, collecting) => collecting.follow(String(rule)),
};

/** Without `$id`, a schema is one resource, and `$dynamicRef` leads to the same schema as `$ref`. */
export const dynamicRef = reference("$dynamicRef", MODERN_ONLY);
