import { _, Name, str, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { Type } from "ajv/dist/compile/util.js";
import { findDuplicate, isMultipleOf } from "./runtime-pieces.js";

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
    const known =
      items instanceof Name ? _`${items} === true ? ${length} : ${items} ?? 0` : _`${items ?? 0}`;
    const evaluated = gen.const("evaluated", known);
    context.setParams({ evaluated });
    if (schema === false) context.fail(_`${length} > ${evaluated}`);
    else checkItems(context, evaluated, length);
  },
};

function checkItems(context: KeywordCxt, from: Name, to: Name): void {
  const { gen } = context;
  const valid = gen.name("valid");
  gen.forRange("i", from, to, (index) => {
    context.subschema(
      { keyword: "unevaluatedItems", dataProp: index, dataPropType: Type.Num },
      valid,
    );
  });
}

/** Keywords that replace AJV's own. */
export const KEYWORDS_IN_PLACE_OF_AJV = [uniqueItems, multipleOf, unevaluatedItems];
