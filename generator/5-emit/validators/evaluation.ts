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
import { alwaysValidSchema, evaluatedPropsToName, Type } from "ajv/dist/compile/util.js";
import { usePattern } from "ajv/dist/vocabularies/code.js";
import additionalProperties from "ajv/dist/vocabularies/applicator/additionalProperties.js";
import ajvCondition from "ajv/dist/vocabularies/applicator/if.js";
import unevaluatedProperties from "ajv/dist/vocabularies/unevaluated/unevaluatedProperties.js";
import { ACCOUNT_MARK } from "./prepare-schema.js";

/**
 * Account of what a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. AJV
 * keeps it in variables that alternatives share: one that failed leaves its own behind, one that
 * was not tried still has that of the item before, and the account of a reference is written into
 * the function that it leads to, for all later calls.
 */

type Context = Pick<KeywordCxt, "gen" | "it">;

/**
 * Gives a schema variables of its own before anything is merged into them. Where all is known when
 * the code is made, and nothing was merged yet, AJV needs none.
 */
export function openAccount({ gen, it }: Context): void {
  if (it.opts.unevaluated !== true) return;
  if (it.props !== true && !(it.props instanceof Name)) {
    it.props = evaluatedPropsToName(gen, it.props);
  }
  if (it.items !== true && !(it.items instanceof Name)) {
    it.items = gen.var("items", it.items ?? 0);
  }
}

/** Opens the account before the keywords that only objects or arrays have: in a loop, the last round may have left one. */
const accountMark: CodeKeywordDefinition = {
  keyword: ACCOUNT_MARK,
  schemaType: "boolean",
  code: openAccount,
};

type Clause = "then" | "else";
const CLAUSES: readonly Clause[] = ["then", "else"];

/** Whether a clause of the schema asks anything of a value, as AJV decides it. */
function asks({ it, parentSchema }: KeywordCxt, keyword: Clause): boolean {
  const schema = (parentSchema as Readonly<Record<string, AnySchema | undefined>>)[keyword];
  return schema !== undefined && !alwaysValidSchema(it, schema);
}

/**
 * As AJV's own, which counts what `if` evaluated where it failed, and not where it passed without a
 * `then`. Nothing but that counts what a clause evaluated which a value fails: it is refused then.
 */
const condition: CodeKeywordDefinition = {
  ...ajvCondition.default,
  code(context) {
    const { gen } = context;
    openAccount(context);
    const passes = gen.name("_valid");
    const unseen = { keyword: "if", compositeRule: true as const, createErrors: false };
    const applied = context.subschema({ ...unseen, allErrors: true }, passes);
    context.reset();
    context.mergeValidEvaluated(applied, passes);
    const clauses = CLAUSES.filter((keyword) => asks(context, keyword));
    const [only] = clauses;
    if (only === undefined) return;
    const valid = gen.let("valid", true);
    const chosen = clauses.length === 1 ? undefined : gen.let("chosen");
    context.setParams({ ifClause: chosen ?? only });
    const clause = (keyword: Clause) => (): void => {
      const fits = gen.name("fits");
      context.mergeEvaluated(context.subschema({ keyword, allErrors: true }, fits), Name);
      gen.assign(valid, fits);
      if (chosen !== undefined) gen.assign(chosen, _`${keyword}`);
    };
    if (chosen !== undefined) gen.if(passes, clause("then"), clause("else"));
    else gen.if(only === "then" ? passes : not(passes), clause(only));
    context.pass(valid, () => context.error(true));
  },
};

/** Adds a name to the account, unless it has everything. */
function addToAccount({ gen, it }: Context, name: Name): void {
  const { props } = it;
  if (!(props instanceof Name)) return;
  gen.if(_`${props} !== true`, () => gen.assign(_`${props}[${name}]`, true));
}

/** As AJV's own, which writes into an account that may hold everything, or be none. */
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
          addToAccount(context, key);
        });
      });
    }
  },
};

/** A keyword of AJV's that evaluates every property, of objects: an account of items goes on. */
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

/** Evaluates the items that fit, where AJV's own takes all for evaluated. Their indexes are accounted with the properties, which an array has none of. */
const contains: CodeKeywordDefinition = {
  keyword: "contains",
  type: "array",
  schemaType: ["object", "boolean"],
  before: "uniqueItems",
  trackErrors: true,
  error: {
    message: ({ params: { min, max } }) =>
      max === undefined
        ? str`must contain at least ${min} valid item(s)`
        : str`must contain at least ${min} and no more than ${max} valid item(s)`,
    params: ({ params: { min, max } }) =>
      max === undefined ? _`{minContains: ${min}}` : _`{minContains: ${min}, maxContains: ${max}}`,
  },
  code(context) {
    const { gen, data, parentSchema } = context;
    const { minContains: min = 1, maxContains: max } = parentSchema as {
      readonly minContains?: number;
      readonly maxContains?: number;
    };
    context.setParams({ min, max });
    const count = gen.let("count", 0);
    const fits = gen.name("fits");
    gen.forRange("i", 0, _`${data}.length`, (index) => {
      const at = { dataProp: index, dataPropType: Type.Num, compositeRule: true as const };
      context.subschema({ keyword: "contains", ...at }, fits);
      gen.if(fits, () => {
        gen.code(_`${count}++`);
        addToAccount(context, index);
      });
    });
    const atMost = max === undefined ? _`` : _` && ${count} <= ${max}`;
    context.result(_`${count} >= ${min}${atMost}`, () => context.reset());
  },
};

/** Takes account of alternatives that evaluated nothing, or everything, where AJV's own goes wrong. */
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
    const isAccounted = it.props instanceof Name;
    if (schema === false && !isAccounted) context.fail(_`${length} > ${evaluated}`);
    else checkItems(context, evaluated, length);
  },
};

/** Checks the items that neither come before the first of them nor were found by `contains`. */
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
  });
}

/** Keywords that keep account in place of AJV's own. */
export const ACCOUNTING_KEYWORDS = [accountMark, condition, patternProperties, unevaluatedItems];

/** The same where items that `contains` found may be unevaluated otherwise. */
export const ACCOUNTING_KEYWORDS_WITH_CONTAINS = [
  contains,
  { ...evaluatingAll(additionalProperties.default), before: "unevaluatedProperties" },
  evaluatingAll(unevaluatedProperties.default),
];
