import {
  _,
  str,
  stringify,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type Name,
} from "ajv";
import { and } from "ajv/dist/compile/codegen/index.js";
import names from "ajv/dist/compile/names.js";
import { Type } from "ajv/dist/compile/util.js";
import { usePattern } from "ajv/dist/vocabularies/code.js";
import ajvUnevaluatedProperties from "ajv/dist/vocabularies/unevaluated/unevaluatedProperties.js";
import { MOST_ISSUES } from "../../../../templates/runtime/validators/called-functions.js";
import type { JsonObject } from "../../../model/json.js";
import { addToRecord } from "./evaluation-record.js";

/** Code that ends the loop over a value if as many findings were made as a call returns. What is refused stays refused. */
export function endLoop({ gen }: KeywordCxt): void {
  gen.if(_`${names.default.errors} >= ${MOST_ISSUES}`, () => gen.break());
}

/** AJV's keywords that apply a schema to each part of a value. */
export const LOOPING_KEYWORDS: ReadonlySet<string> = new Set([
  "items",
  "additionalItems",
  "patternProperties",
  "propertyNames",
]);

/** A keyword of AJV's that applies a schema to each part of a value, in a loop that ends after many findings. */
export function endingLoop(keyword: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...keyword,
    code(context, ruleType) {
      // Draft-07's `items` with a list of schemas is no loop.
      if (Array.isArray(context.schema)) return keyword.code(context, ruleType);
      const apply = context.subschema.bind(context);
      context.subschema = (applied, valid) => {
        const result = apply(applied, valid);
        endLoop(context);
        return result;
      };
      keyword.code(context, ruleType);
    },
  };
}

/** With more names, a set is asked. */
const MOST_COMPARED_NAMES = 8;

/** `additionalProperties` with a set of the known names. AJV's own reads them in the whole schema. */
export const additionalProperties: CodeKeywordDefinition = {
  keyword: "additionalProperties",
  type: "object",
  schemaType: ["boolean", "object"],
  error: {
    message: "must NOT have additional properties",
    params: ({ params }) => _`{additionalProperty: ${params["additionalProperty"]}}`,
  },
  code(context) {
    const { gen, data, schema, it } = context;
    it.props = true;
    if (schema === true) return;
    gen.forIn("key", data, (key) => {
      gen.if(isUndescribed(context, key), () => {
        if (schema === false) {
          context.setParams({ additionalProperty: key });
          context.error();
        } else {
          const member = { dataProp: key, dataPropType: Type.Str };
          context.subschema({ keyword: "additionalProperties", ...member }, gen.name("valid"));
        }
        endLoop(context);
      });
    });
  },
};

/** Whether neither `properties` nor `patternProperties` of the schema describe a name. */
function isUndescribed(context: KeywordCxt, key: Name): Code {
  const { gen, parentSchema } = context;
  const { properties = {}, patternProperties = {} } = parentSchema as Record<string, JsonObject>;
  const propertyNames = Object.keys(properties);
  const unlikePatterns = Object.keys(patternProperties).map(
    (pattern) => _`!${usePattern(context, pattern)}.test(${key})`,
  );
  if (propertyNames.length <= MOST_COMPARED_NAMES) {
    const unlikeNames = propertyNames.map((name) => _`${key} !== ${name}`);
    const conditions = [...unlikeNames, ...unlikePatterns];
    return conditions.length === 0 ? _`true` : and(...conditions);
  }
  const names = gen.scopeValue("names", {
    key: JSON.stringify(propertyNames),
    ref: propertyNames,
    code: _`new Set(${stringify(propertyNames)})`,
  });
  return and(_`!${names}.has(${key})`, ...unlikePatterns);
}

/** Code that removes the findings of a keyword but the first. */
function keepFindings({ gen, errsCount }: KeywordCxt): void {
  const { vErrors, errors } = names.default;
  gen.if(_`${errors} > ${errsCount} + ${MOST_ISSUES}`, () => {
    gen.assign(errors, _`${vErrors}.length = ${errsCount} + ${MOST_ISSUES}`);
  });
}

/**
 * `contains` that keeps few findings, and evaluates only the items that match; AJV's own marks all items. Their indexes
 * go into the record of properties, which is unused for arrays.
 */
const contains: CodeKeywordDefinition = {
  keyword: "contains",
  type: "array",
  schemaType: ["object", "boolean"],
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
      const item = { dataProp: index, dataPropType: Type.Num, compositeRule: true as const };
      context.subschema({ keyword: "contains", ...item }, fits);
      gen.if(fits, () => {
        gen.code(_`${count}++`);
        addToRecord(context, index);
      });
      keepFindings(context);
    });
    const atMost = max === undefined ? _`` : _` && ${count} <= ${max}`;
    context.result(_`${count} >= ${min}${atMost}`, () => context.reset());
  },
};

/** `unevaluatedProperties` that ends after many findings. */
export const unevaluatedProperties: CodeKeywordDefinition = {
  ...endingLoop(ajvUnevaluatedProperties.default),
  code(context, ruleType) {
    const report = context.error.bind(context);
    context.error = (append, parameters, paths) => {
      report(append, parameters, paths);
      endLoop(context);
    };
    endingLoop(ajvUnevaluatedProperties.default).code(context, ruleType);
  },
};

/** Keywords that replace AJV's own, whose loops over a value would make a finding for each part. */
export const LOOPS: readonly CodeKeywordDefinition[] = [
  additionalProperties,
  unevaluatedProperties,
  contains,
];
