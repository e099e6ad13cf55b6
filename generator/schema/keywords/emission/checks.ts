import { _, str, type Code, type CodeGen, type CodeKeywordDefinition, type Name } from "ajv";
import { _Code } from "ajv/dist/compile/codegen/code.js";
import { checkDataTypes, DataType } from "ajv/dist/compile/validate/dataType.js";
import condition from "ajv/dist/vocabularies/applicator/if.js";
import not from "ajv/dist/vocabularies/applicator/not.js";
import { usePattern } from "ajv/dist/vocabularies/code.js";
import type { JsonValue } from "../../../model/json.js";
import { writeLiteral } from "../../../text/literal.js";
import { FORMAT_CHECKS } from "../../formats/format-checks.js";
import { PatternCosts } from "../../patterns/pattern-cost.js";
import { NUMBER_FORMAT, OF_TYPE, SLOW_MATCH, sharedFunction } from "./report.js";

/** `type`, before all other keywords. */
export const ofType: CodeKeywordDefinition = {
  keyword: OF_TYPE,
  schemaType: ["string", "array"],
  before: "const",
  error: {
    message: ({ schema }) => `must be ${[schema].flat().join(",")}`,
  },
  code(context) {
    const { data, schema, it } = context;
    context.fail(checkDataTypes([schema].flat(), data, it.opts.strictNumbers, DataType.Wrong));
  },
};

/** `format` of texts that calls the function, or tests the expression, of the runtime. */
const textFormat: CodeKeywordDefinition = {
  ...formatOf("string"),
  keyword: "format",
  before: "pattern",
};

/** `format` of numbers. For a keyword of two types, AJV would write the code of each check twice. */
const numberFormat: CodeKeywordDefinition = { ...formatOf("number"), keyword: NUMBER_FORMAT };

export const FORMATS = [textFormat, numberFormat];

function formatOf(type: "string" | "number"): Omit<CodeKeywordDefinition, "keyword"> {
  return {
    type,
    schemaType: "string",
    error: {
      message: ({ schema }) => `must match format "${String(schema)}"`,
    },
    code(context) {
      const { data, schema } = context;
      const check = FORMAT_CHECKS.get(String(schema));
      if (check === undefined) throw new Error(`AJV checks an unknown format: ${String(schema)}`);
      const name = sharedFunction(context, check.exportName);
      context.fail(check.kind === "expression" ? _`!${name}.test(${data})` : _`!${name}(${data})`);
    },
  };
}

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
    const find = sharedFunction(context, "findDuplicate");
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
    const check = sharedFunction(context, "isMultipleOf");
    context.fail(_`!${check}(${context.data}, ${context.schemaCode})`);
  },
};

const costs = new PatternCosts(Infinity);

/** The length of texts up to which a pattern is quick. Many such texts could take long together. */
function quickLengthOf(pattern: string): number {
  const cost = costs.costOf(pattern);
  return cost.kind === "polynomial" ? Math.max(1, cost.longestText) : 1;
}

/** True if matching many texts with the pattern could take long together, so that validators count this work. */
export function isSlowPattern(pattern: string): boolean {
  return quickLengthOf(pattern) !== Infinity;
}

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
    const { data, schema, parentSchema } = context;
    const expression = usePattern(context, schema as string);
    const longest = quickLengthOf(schema as string);
    const breaks =
      longest === Infinity
        ? _`!${expression}.test(${data})`
        : _`!${sharedFunction(context, SLOW_MATCH)}(${expression}, ${data}, ${longest})`;
    const { maxLength } = parentSchema as { readonly maxLength?: number };
    if (maxLength === undefined) return context.fail(breaks);
    const isLonger = sharedFunction(context, "isLonger");
    context.fail(_`!${isLonger}(${data}, ${maxLength}) && ${breaks}`);
  },
};

/** `const` with JSON's equality. AJV's own calls members of the value that are named as methods. */
const equalToConstant: CodeKeywordDefinition = {
  keyword: "const",
  error: {
    message: "must be equal to constant",
    params: ({ schema }) => _`{allowedValue: ${valueCode(schema)}}`,
  },
  code(context) {
    const { data, schema } = context;
    const constant = valueCode(schema);
    if (!isCompound(schema)) return context.fail(_`${data} !== ${constant}`);
    const named = context.gen.scopeValue("values", {
      key: String(constant),
      ref: schema,
      code: constant,
    });
    context.fail(_`!${sharedFunction(context, "isEqual")}(${data}, ${named})`);
  },
};

/** `enum` with JSON's equality. */
const equalToChoice: CodeKeywordDefinition = {
  keyword: "enum",
  schemaType: "array",
  error: {
    message: "must be equal to one of the allowed values",
    params: ({ gen, schema }) => _`{allowedValues: ${choicesOf(gen, schema)}}`,
  },
  code(context) {
    const { gen, data, schema } = context;
    const choices = schema as readonly JsonValue[];
    const all = choicesOf(gen, choices);
    if (!choices.some(isCompound)) return context.pass(_`${all}.includes(${data})`);
    const isEqual = sharedFunction(context, "isEqual");
    context.pass(_`${all}.some((choice) => ${isEqual}(${data}, choice))`);
  },
};

const isCompound = (value: JsonValue): boolean => typeof value === "object" && value !== null;

/** The name of a constant with the values of an `enum`. */
function choicesOf(gen: CodeGen, choices: readonly JsonValue[]): Name {
  const code = valueCode(choices as JsonValue);
  return gen.scopeValue("values", { key: String(code), ref: choices, code });
}

/** A literal of a JSON value, with every name as its own property. */
const valueCode = (value: JsonValue): Code => new _Code(writeLiteral(value));

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
    error: {
      message: ({ schemaCode }) => str`must NOT have ${comparison} than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code(context) {
      const { data, schemaCode } = context;
      context.fail(_`${sharedFunction(context, isBroken)}(${data}, ${schemaCode})`);
    },
  };
}

/** Keywords that replace AJV's own in every schema. */
export const CHECKS: readonly CodeKeywordDefinition[] = [
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
