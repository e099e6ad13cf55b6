import {
  _,
  Name,
  str,
  type AnySchema,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type SchemaObjCxt,
} from "ajv";
import { not } from "ajv/dist/compile/codegen/index.js";
import { alwaysValidSchema, Type } from "ajv/dist/compile/util.js";
import { usePattern } from "ajv/dist/vocabularies/code.js";
import ajvCondition from "ajv/dist/vocabularies/applicator/if.js";
import { addToRecord, startRecord } from "./evaluation-record.js";
import { additionalProperties, endLoop, unevaluatedProperties } from "./loops.js";

/** Keywords of schemas with `unevaluatedProperties` or `unevaluatedItems`, which keep a correct record. */

type Clause = "then" | "else";
const CLAUSES: readonly Clause[] = ["then", "else"];

/** True if the schema has the clause and AJV does not find that every value is valid under it. */
function canFail({ it, parentSchema }: KeywordCxt, keyword: Clause): boolean {
  const schema = (parentSchema as Readonly<Record<string, AnySchema | undefined>>)[keyword];
  return schema !== undefined && !alwaysValidSchema(it, schema);
}

/**
 * `if` with a correct record. AJV's own adds what `if` evaluated even if it failed, and does not add
 * it if `if` passed and there is no `then`. What a failing `then` or `else` evaluated may be added: the
 * value is refused anyway.
 */
const condition: CodeKeywordDefinition = {
  ...ajvCondition.default,
  code(context) {
    const { gen } = context;
    startRecord(context);
    const passes = gen.name("_valid");
    const silently = { keyword: "if", compositeRule: true as const, createErrors: false };
    const applied = context.subschema({ ...silently, allErrors: true }, passes);
    context.reset();
    context.mergeValidEvaluated(applied, passes);
    const clauses = CLAUSES.filter((keyword) => canFail(context, keyword));
    const [firstClause] = clauses;
    if (firstClause === undefined) return;
    const valid = gen.let("valid", true);
    const chosen = clauses.length === 1 ? undefined : gen.let("chosen");
    context.setParams({ ifClause: chosen ?? firstClause });
    const apply = (keyword: Clause) => (): void => {
      const fits = gen.name("fits");
      context.mergeEvaluated(context.subschema({ keyword, allErrors: true }, fits), Name);
      gen.assign(valid, fits);
      if (chosen !== undefined) gen.assign(chosen, _`${keyword}`);
    };
    if (chosen !== undefined) gen.if(passes, apply("then"), apply("else"));
    else gen.if(firstClause === "then" ? passes : not(passes), apply(firstClause));
    context.pass(valid, () => context.error(true));
  },
};

/** AJV's own writes into the record even if it does not exist or holds `true` for all properties. */
const patternProperties: CodeKeywordDefinition = {
  keyword: "patternProperties",
  type: "object",
  schemaType: "object",
  before: "unevaluatedProperties",
  code(context) {
    const { gen, data, schema } = context;
    const valid = gen.name("valid");
    for (const pattern of Object.keys(schema as object)) {
      gen.forIn("key", data, (key) => {
        gen.if(_`${usePattern(context, pattern)}.test(${key})`, () => {
          const dataPropType = Type.Str;
          context.subschema(
            { keyword: "patternProperties", schemaProp: pattern, dataProp: key, dataPropType },
            valid,
          );
          addToRecord(context, key);
          endLoop(context);
        });
      });
    }
  },
};

/**
 * A keyword of AJV's that evaluates all properties of an object. The record stays a variable, since it also
 * holds the indexes that `contains` found.
 */
function evaluatingAll(keyword: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...keyword,
    code(context, ruleType) {
      const { gen, it } = context;
      const { props } = it;
      keyword.code(context, ruleType);
      if (!(props instanceof Name)) return;
      it.props = props;
      gen.assign(props, true);
    },
  };
}

/** `unevaluatedItems` that also works if the alternatives evaluated no item or all items. AJV's own does not. */
const unevaluatedItems: CodeKeywordDefinition = {
  keyword: "unevaluatedItems",
  type: "array",
  schemaType: ["boolean", "object"],
  error: {
    message: ({ params }) => str`must NOT have more than ${params["evaluated"]} items`,
    params: ({ params }) => _`{limit: ${params["evaluated"]}}`,
  },
  code(context) {
    const { gen, data, it, schema } = context;
    const { items } = it;
    it.items = true;
    if (items === true || schema === true) return;
    const length = gen.const("len", _`${data}.length`);
    const evaluatedBefore =
      items instanceof Name ? _`${items} === true ? ${length} : ${items}` : (items ?? 0);
    const evaluated = gen.const("evaluated", evaluatedBefore);
    context.setParams({ evaluated });
    const recordsIndexes = it.props instanceof Name;
    if (schema === false && !recordsIndexes) context.fail(_`${length} > ${evaluated}`);
    else checkItems(context, evaluated, length);
  },
};

/** Checks the items between two indexes, except those that `contains` evaluated. */
function checkItems(context: KeywordCxt, from: Name, to: Name): void {
  const { gen, schema } = context;
  const { props } = context.it as SchemaObjCxt;
  const valid = gen.name("valid");
  gen.forRange("i", from, to, (index) => {
    const check = (): void => {
      if (schema === false) return context.error();
      context.subschema(
        { keyword: "unevaluatedItems", dataProp: index, dataPropType: Type.Num },
        valid,
      );
    };
    if (props instanceof Name) gen.if(_`!${props}[${index}]`, check);
    else check();
    endLoop(context);
  });
}

/** Keywords that replace AJV's own in schemas with `unevaluatedProperties` or `unevaluatedItems`. */
export const RECORDING_KEYWORDS: readonly CodeKeywordDefinition[] = [
  condition,
  patternProperties,
  unevaluatedItems,
];

/** Keywords that also replace AJV's own in schemas with both `unevaluatedItems` and `contains`. */
export const RECORDING_KEYWORDS_WITH_CONTAINS: readonly CodeKeywordDefinition[] = [
  evaluatingAll(additionalProperties),
  evaluatingAll(unevaluatedProperties),
];
