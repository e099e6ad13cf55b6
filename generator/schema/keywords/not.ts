import { isJsonSchema } from "../json-schema.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const not: KeywordDefinition = {
  name: "not",
  shape: "schema",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
  check(_value, rule, checking) {
    if (isJsonSchema(rule) && checking.attempt(rule).fits) checking.report("must NOT be valid");
  },
  problem: () => "fits what the schema excludes",
};
