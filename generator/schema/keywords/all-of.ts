import { withAll } from "../defaults/defaults.js";
import { schemasIn } from "../read-schema.js";
import { ANY } from "../types/type-model.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const allOf: KeywordDefinition = {
  name: "allOf",
  shape: "schema list",
  dialects: BOTH_DIALECTS,
  appliesInPlace: true,
  check(_value, rule, checking) {
    for (const part of schemasIn(rule)) checking.apply(part);
  },
  type: (rule, typing) =>
    schemasIn(rule).reduce((type, part) => typing.both(type, typing.typeOf(part)), ANY),
  defaults: (rule, collecting) => withAll(schemasIn(rule).map((part) => collecting.collect(part))),
};
