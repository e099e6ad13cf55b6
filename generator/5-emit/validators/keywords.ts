import { _, str, type Code, type CodeKeywordDefinition, type ValidateFunction } from "ajv";
import { or } from "ajv/dist/compile/codegen/index.js";
import condition from "ajv/dist/vocabularies/applicator/if.js";
import not from "ajv/dist/vocabularies/applicator/not.js";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import { usePattern } from "ajv/dist/vocabularies/code.js";
import constant from "ajv/dist/vocabularies/validation/const.js";
import enumeration from "ajv/dist/vocabularies/validation/enum.js";
import type { JsonValue } from "../../model/json.js";
import { openAccount } from "./evaluation.js";
import { sharedFunction } from "./shared-functions.js";

/** Linear, where AJV's own compares every item with every other. */
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

/** Decimal, where AJV's own divides in binary and refuses 19.99 as a multiple of 0.01. */
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

/** Not run on a text that `maxLength` refuses: the time of an accepted pattern may grow with the square of the length. */
const pattern: CodeKeywordDefinition = {
  keyword: "pattern",
  type: "string",
  schemaType: "string",
  error: {
    message: ({ schemaCode }) => str`must match pattern "${schemaCode}"`,
    params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
  },
  code(context) {
    const { data, schema, parentSchema } = context;
    const breaks = _`!${usePattern(context, schema as string)}.test(${data})`;
    const { maxLength } = parentSchema as { readonly maxLength?: number };
    // A code point has at most two units.
    context.fail(
      maxLength === undefined ? breaks : _`${data}.length <= ${2 * maxLength} && ${breaks}`,
    );
  },
};

/** What AJV checks after constants and choices: they keep their place. */
const NEXT_OF_AJV = "allOf";

/** With JSON's equality, where AJV's own calls what an object has under the name of a method. */
const equalToConstant: CodeKeywordDefinition = {
  ...constant.default,
  before: NEXT_OF_AJV,
  code(context) {
    const { gen, data, schema, schemaCode } = context;
    if (typeof schema !== "object" || schema === null) context.fail(_`${data} !== ${schema}`);
    else context.fail(_`!${sharedFunction(gen, "isEqual")}(${data}, ${schemaCode})`);
  },
};

/** The same for choices; their list is asked for those that need no more than `===`. */
const equalToChoice: CodeKeywordDefinition = {
  ...enumeration.default,
  before: NEXT_OF_AJV,
  code(context) {
    const { gen, data, schema, schemaCode, it } = context;
    const choices = schema as readonly JsonValue[];
    if (!choices.some((choice) => typeof choice === "object" && choice !== null)) {
      // In parentheses: else the method would pass for a member of the schema.
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
 * A keyword of AJV's without its search for the first error alone. There, a keyword that finds
 * nothing to do (`prefixItems` in a short list) leaves the rest of the schema out.
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

/** The function of a schema that references lead to, once it is compiled. */
export interface CalledSchema {
  validate?: ValidateFunction;
}

/**
 * `$ref` by key: each target is compiled on its own, where AJV's own compiles one within the other.
 *
 * @param called finds the target with a key
 */
export function referenceTo(
  called: (key: string) => CalledSchema | undefined,
): CodeKeywordDefinition {
  return {
    keyword: "$ref",
    schemaType: "string",
    code(context) {
      openAccount(context);
      const target = context.gen.scopeValue("root", { ref: called(String(context.schema)) });
      callRef(context, _`${target}.validate`);
    },
  };
}

/** Counts characters only where the length in code units does not tell, as AJV's own always does. */
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

/** Keywords that replace AJV's own, beside `$ref` and unions. */
export const KEYWORDS_IN_PLACE_OF_AJV = [
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
