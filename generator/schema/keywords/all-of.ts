import { schemasIn } from "../read-schema.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const allOf: KeywordDefinition = {
  name: "allOf",
  shape: "schema list",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
  check(_value, rule, checking) {
    for (const part of schemasIn(rule)) checking.apply(part);
  },
};
