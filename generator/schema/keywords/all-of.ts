import { joinDefaults } from "../defaults/defaults.js";
import { schemasIn } from "../keyword-values.js";
import { ANY } from "../types/type-model.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const allOf: KeywordDefinition = {
  name: "allOf",
  shape: "schema list",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
  check(_value, rule, checking) {
    for (const member of schemasIn(rule)) checking.apply(member);
  },
  type: (rule, typing) =>
    schemasIn(rule).reduce((type, member) => typing.intersect(type, typing.typeOf(member)), ANY),
  defaults: (rule, collecting) =>
    joinDefaults(schemasIn(rule).map((member) => collecting.collect(member))),
};
