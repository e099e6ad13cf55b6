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
import { findDuplicate, isEqual, isMultipleOf } from "../../schema/pieces/values.js";

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
    const find = gen.scopeValue("func", { ref: findDuplicate });
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
    const check = context.gen.scopeValue("func", { ref: isMultipleOf });
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
    else context.fail(_`!${gen.scopeValue("func", { ref: isEqual })}(${data}, ${schemaCode})`);
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
    const equals = (choice: Code): Code =>
      _`${gen.scopeValue("func", { ref: isEqual })}(${data}, ${choice})`;
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

/** The validator of a schema that references lead to, once it is compiled. */
export interface Part {
  validate?: ValidateFunction;
}

/** The parts of a validator by the keys that stand in `$ref`. */
export type Parts = ReadonlyMap<string, Part>;

/**
 * `$ref` by key: each target is compiled on its own, where AJV's own compiles one within the other.
 *
 * @param referred told of each key whose part is called
 */
export function referenceTo(parts: Parts, referred: (key: string) => void): CodeKeywordDefinition {
  return {
    keyword: "$ref",
    schemaType: "string",
    code(context) {
      openAccount(context);
      const key = String(context.schema);
      referred(key);
      const part = context.gen.scopeValue("root", { ref: parts.get(key) });
      callRef(context, _`${part}.validate`);
    },
  };
}

/** Keywords that replace AJV's own, beside `$ref` and unions. */
export const KEYWORDS_IN_PLACE_OF_AJV = [
  uniqueItems,
  multipleOf,
  pattern,
  equalToConstant,
  equalToChoice,
  findingAll(not.default),
  findingAll(condition.default),
];
