import { _, str, type Code, type CodeKeywordDefinition, type ValidateFunction } from "ajv";
import { or } from "ajv/dist/compile/codegen/index.js";
import condition from "ajv/dist/vocabularies/applicator/if.js";
import not from "ajv/dist/vocabularies/applicator/not.js";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import { usePattern } from "ajv/dist/vocabularies/code.js";
import constant from "ajv/dist/vocabularies/validation/const.js";
import enumeration from "ajv/dist/vocabularies/validation/enum.js";
import type { JsonValue } from "../../model/json.js";
import { startRecord } from "./evaluation-record.js";
import { sharedFunction } from "./shared-functions.js";

/** `uniqueItems` in linear time. AJV's own compares every item with every other. */
const uniqueItems: CodeKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  error: {
    message: ({ params }) =>
      str`must NOT have duplicate items (items ## ${params["first"]} and ${params["repeated"]} are identical)`,
    params: ({ params }) => _`{i: ${params["repeated"]}, j: ${params["first"]}}`,
  },
  code(context) {
    if (context.schema !== true) return;
    const { gen, data } = context;
    const find = sharedFunction(gen, "findDuplicate");
    const duplicate = gen.const("duplicate", _`${find}(${data})`);
    context.setParams({ first: _`${duplicate}.first`, repeated: _`${duplicate}.repeated` });
    context.fail(_`${duplicate} !== undefined`);
  },
};

/** `multipleOf` in decimal arithmetic. AJV's own divides in binary and refuses 19.99 as a multiple of 0.01. */
const multipleOf: CodeKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
  code(context) {
    const check = sharedFunction(context.gen, "isMultipleOf");
    context.fail(_`!${check}(${context.data}, ${context.schemaCode})`);
  },
};

/** `pattern` that is not run on a text that `maxLength` refuses, since it may be quick for short texts only. */
const pattern: CodeKeywordDefinition = {
  keyword: "pattern",
  type: "string",
  schemaType: "string",
  error: {
    message: ({ schemaCode }) => str`must match pattern "${schemaCode}"`,
    params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
  },
  code(context) {
    const { gen, data, schema, parentSchema } = context;
    const breaks = _`!${usePattern(context, schema as string)}.test(${data})`;
    const { maxLength } = parentSchema as { readonly maxLength?: number };
    if (maxLength === undefined) return context.fail(breaks);
    const isLonger = sharedFunction(gen, "isLonger");
    context.fail(_`!${isLonger}(${data}, ${maxLength}) && ${breaks}`);
  },
};

/** The keyword that AJV checks after `const` and `enum`. Their replacements stay before it. */
const KEYWORD_AFTER_ENUM = "allOf";

/** `const` with JSON's equality. AJV's own calls members of the value that are named as methods. */
const equalToConstant: CodeKeywordDefinition = {
  ...constant.default,
  before: KEYWORD_AFTER_ENUM,
  code(context) {
    const { gen, data, schema, schemaCode } = context;
    if (typeof schema !== "object" || schema === null) context.fail(_`${data} !== ${schema}`);
    else context.fail(_`!${sharedFunction(gen, "isEqual")}(${data}, ${schemaCode})`);
  },
};

/** `enum` with JSON's equality. If no choice is an object, `includes` of the list of choices is enough. */
const equalToChoice: CodeKeywordDefinition = {
  ...enumeration.default,
  before: KEYWORD_AFTER_ENUM,
  code(context) {
    const { gen, data, schema, schemaCode, it } = context;
    const choices = schema as readonly JsonValue[];
    if (!choices.some((choice) => typeof choice === "object" && choice !== null)) {
      // Without the parentheses, `write-code.ts` would take `.includes` for a member of the schema.
      return context.pass(_`(${schemaCode}).includes(${data})`);
    }
    const equals = (choice: Code): Code => _`${sharedFunction(gen, "isEqual")}(${data}, ${choice})`;
    if (choices.length >= Number(it.opts.loopEnum)) {
      const valid = gen.let("valid");
      gen.assign(valid, false);
      gen.forOf("v", schemaCode as Code, (choice) => {
        gen.if(equals(choice), () => gen.assign(valid, true).break());
      });
      return context.pass(valid);
    }
    const all = gen.const("vSchema", schemaCode);
    const checks = choices.map((choice, index) =>
      typeof choice === "object" && choice !== null
        ? equals(_`${all}[${index}]`)
        : _`${data} === ${choice}`,
    );
    context.pass(or(...checks));
  },
};

/**
 * A keyword of AJV's that collects all errors of its subschema. AJV would stop at the first error, and then
 * a keyword with nothing to do, such as `prefixItems` for a short list, makes it skip all further keywords.
 */
function findingAll(keyword: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...keyword,
    code(context, ruleType) {
      const apply = context.subschema.bind(context);
      context.subschema = (applied, valid) => apply({ ...applied, allErrors: true }, valid);
      keyword.code(context, ruleType);
    },
  };
}

/** A schema that references lead to. Its function is set when it has been compiled. */
export interface CalledSchema {
  validate?: ValidateFunction;
}

/**
 * `$ref` whose value is the key of a target. Each target is compiled separately; AJV would compile one
 * inside the other.
 *
 * @param targetOf finds the target that has a key
 */
export function referenceKeyword(
  targetOf: (key: string) => CalledSchema | undefined,
): CodeKeywordDefinition {
  return {
    keyword: "$ref",
    schemaType: "string",
    code(context) {
      startRecord(context);
      const target = context.gen.scopeValue("root", { ref: targetOf(String(context.schema)) });
      callRef(context, _`${target}.validate`);
    },
  };
}

/** Counts characters only if the number of code units does not decide. AJV's own always counts. */
function lengthKeyword(
  keyword: "maxLength" | "minLength",
  isBroken: "isLonger" | "isShorter",
  comparison: "more" | "fewer",
): CodeKeywordDefinition {
  return {
    keyword,
    type: "string",
    schemaType: "number",
    before: "format",
    error: {
      message: ({ schemaCode }) => str`must NOT have ${comparison} than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code(context) {
      const { gen, data, schemaCode } = context;
      context.fail(_`${sharedFunction(gen, isBroken)}(${data}, ${schemaCode})`);
    },
  };
}

/** Keywords that replace AJV's own in every schema, except `$ref` and unions. */
export const REPLACED_KEYWORDS = [
  uniqueItems,
  multipleOf,
  lengthKeyword("maxLength", "isLonger", "more"),
  lengthKeyword("minLength", "isShorter", "fewer"),
  pattern,
  equalToConstant,
  equalToChoice,
  findingAll(not.default),
  findingAll(condition.default),
];
