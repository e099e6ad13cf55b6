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
  const thenSchema = schemaUnder(wide, "then");
  const elseSchema = schemaUnder(wide, "else");
  const findings = [
    ...(thenSchema === undefined
      ? []
      : comparing.compareBeside(narrow.with(condition), thenSchema)),
    ...(elseSchema === undefined ? [] : comparing.compareBeside(narrow, elseSchema)),
  ];
  return asUndecided(findings, "if");
};

/** Narrows a type to the union of what fits the condition and `then`, and what fits `else` but not the condition. */
function narrowByCondition(type: Type, rule: JsonValue, typing: Typing): Type {
  if (!isJsonSchema(rule)) return type;
  const typeUnder = (name: string): Type => {
    const schema = typing.beside(name);
    return isJsonSchema(schema) ? typing.typeOf(schema) : ANY;
  };
  const fitting = typing.intersect(typing.intersect(type, typing.typeOf(rule)), typeUnder("then"));
  const others = typing.without(typing.intersect(type, typeUnder("else")), rule);
  if (others === type) return type;
  const all = union([fitting, others]);
  const [base] = type.objects;
  const isOne = base !== undefined && type.objects.length === 1;
  return isOne ? { ...all, objects: chooseAmong(base, all.objects) } : all;
}

/** The definition of `if`, which also covers `then` and `else`. */
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
    const branch = checking.beside(name);
    if (!isJsonSchema(branch)) return;
    const attempt = checking.attempt(branch);
    checking.evaluate(attempt.evaluated);
    if (!attempt.fits) {
      checking.report(`must match "${name}" schema`, { tried: [attempt.findings] });
    }
  },
};

export const consequence: KeywordDefinition = { ...clause("then"), typedWith: "if", needs: "if" };
export const alternative: KeywordDefinition = { ...clause("else"), typedWith: "if", needs: "if" };
