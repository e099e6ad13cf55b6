import type { JsonValue } from "../../model/json.js";
import { isJsonSchema } from "../json-schema.js";
import {
  amongArrays,
  ANY,
  isNever,
  MAX_SPELLED_LENGTHS,
  NEVER,
  type ArrayType,
  type Type,
} from "../types/type-model.js";
import type { Typing } from "../types/typing.js";
import { itemSchemas } from "./item-schemas.js";

/** The longest array whose length becomes part of its type. */
const MAX_TUPLE_LENGTH = 8;

/** The type of an array from the keywords of items and of the length together. */
export function arrayTypes(_rule: JsonValue, typing: Typing): Type {
  const { first, rest: others = unevaluatedItems(typing) } = itemSchemas((keyword) =>
    typing.beside(keyword),
  );
  const rest = isJsonSchema(others) ? typing.typeOf(others) : ANY;
  const elements = first.map((schema) => typing.typeOf(schema));
  const required = leastLength(typing);
  const most = countOf(typing.beside("maxItems")) ?? Infinity;
  if (required > most || (isNever(rest) && required > elements.length)) return amongArrays();
  return amongArrays(withLength({ elements, required, rest }, most));
}

/** `unevaluatedItems`, if no other schema and no `contains` may evaluate items before it. */
function unevaluatedItems(typing: Typing): JsonValue | undefined {
  const isAlone = typing.inPlace().length === 1 && typing.beside("contains") === undefined;
  return isAlone ? typing.beside("unevaluatedItems") : undefined;
}

/** The least number of items: `contains` requires one item, unless `minContains` states another number. */
function leastLength(typing: Typing): number {
  const contained = typing.beside("contains") === undefined ? 0 : 1;
  const least = contained && (countOf(typing.beside("minContains")) ?? 1);
  return Math.max(countOf(typing.beside("minItems")) ?? 0, least);
}

const countOf = (rule: JsonValue | undefined): number | undefined =>
  typeof rule === "number" ? rule : undefined;

/**
 * Adds elements to a tuple for the bounds on its length, as long as it stays readable. An array without
 * `prefixItems` stays a list of any length, since handlers make it with `map` or a query. The validator
 * checks its length.
 */
function withLength({ elements, required, rest }: ArrayType, most: number): ArrayType | undefined {
  if (elements.length === 0 && most > 0) return { elements: [], required: 0, rest };
  const firstElements = elements.slice(0, most);
  const isClosed = isNever(rest) || most <= elements.length;
  const isTuple = most <= MAX_TUPLE_LENGTH && most - required <= MAX_SPELLED_LENGTHS;
  const length = isTuple ? most : Math.min(required, MAX_TUPLE_LENGTH);
  const missingCount = isClosed ? 0 : Math.max(0, length - firstElements.length);
  const tuple = [...firstElements, ...Array.from({ length: missingCount }, () => rest)];
  return closedAtImpossible({
    elements: tuple,
    required: Math.min(required, tuple.length),
    rest: isClosed || isTuple ? NEVER : rest,
  });
}

/** Ends an array type before the first element that no value fits; undefined if that element is required. */
function closedAtImpossible(array: ArrayType): ArrayType | undefined {
  const end = array.elements.findIndex(isNever);
  if (end === -1) return array;
  if (end < array.required) return undefined;
  return { elements: array.elements.slice(0, end), required: array.required, rest: NEVER };
}
