import type { KeywordCheck } from "../comparison/check.js";
import { asUndecided } from "../comparison/finding.js";
import { schemaUnder } from "../comparison/schema-node.js";
import type { JsonValue } from "../../model/json.js";
import { isJsonSchema } from "../json-schema.js";
import { chooseAmong, union } from "../types/type-algebra.js";
import { ANY, type Type } from "../types/type-model.js";
import type { Typing } from "../types/typing.js";
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

/** What is left of a type where the condition holds, and `then`, or where it does not, and `else` holds. */
function narrowByCondition(type: Type, rule: JsonValue, typing: Typing): Type {
  if (!isJsonSchema(rule)) return type;
  const typeUnder = (name: string): Type => {
    const schema = typing.beside(name);
    return isJsonSchema(schema) ? typing.typeOf(schema) : ANY;
  };
  const met = typing.both(type, typing.typeOf(rule));
  const held = typing.both(met, typeUnder("then"));
  const unmet = typing.without(typing.both(type, typeUnder("else")), rule);
  if (unmet === type) return type;
  const all = union([held, unmet]);
  const [base, ...others] = type.objects;
  const isOne = base !== undefined && others.length === 0;
  return isOne ? { ...all, objects: chooseAmong(base, all.objects) } : all;
}

/** `if` decides which of the two beside it applies, and does what there is to do for all three. */
export const condition: KeywordDefinition = {
  ...clause("if"),
  isTentative: true,
  compare: compareCondition,
  narrow: narrowByCondition,
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

export const consequence: KeywordDefinition = { ...clause("then"), typedWith: "if" };
export const alternative: KeywordDefinition = { ...clause("else"), typedWith: "if" };
