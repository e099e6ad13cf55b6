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

/** What the keywords of items and of the length of arrays say together. */
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

/** Other schemas for the same array, and `contains`, may evaluate items that `unevaluatedItems` then leaves alone. */
function unevaluatedItems(typing: Typing): JsonValue | undefined {
  const isAlone = typing.inPlace().length === 1 && typing.beside("contains") === undefined;
  return isAlone ? typing.beside("unevaluatedItems") : undefined;
}

/** `contains` asks for at least one item, unless `minContains` says otherwise. */
function leastLength(typing: Typing): number {
  const contained = typing.beside("contains") === undefined ? 0 : 1;
  const least = contained && (countOf(typing.beside("minContains")) ?? 1);
  return Math.max(countOf(typing.beside("minItems")) ?? 0, least);
}

const countOf = (rule: JsonValue | undefined): number | undefined =>
  typeof rule === "number" ? rule : undefined;

/**
 * Turns bounds on the length into elements, as far as a tuple stays readable. A list of one kind of
 * item stays a list, whose length is left to the validator: what `map` or a query gives is no tuple.
 */
function withLength({ elements, required, rest }: ArrayType, most: number): ArrayType | undefined {
  if (elements.length === 0 && most > 0) return { elements: [], required: 0, rest };
  const bounded = elements.slice(0, most);
  const isClosed = isNever(rest) || most <= elements.length;
  const spells = most <= MAX_TUPLE_LENGTH && most - required <= MAX_SPELLED_LENGTHS;
  const wanted = spells ? most : Math.min(required, MAX_TUPLE_LENGTH);
  const missing = isClosed ? 0 : Math.max(0, wanted - bounded.length);
  const spelled = [...bounded, ...Array.from({ length: missing }, () => rest)];
  return closedAtImpossible({
    elements: spelled,
    required: Math.min(required, spelled.length),
    rest: isClosed || spells ? NEVER : rest,
  });
}

/** An element that no value fits ends the array before it. */
function closedAtImpossible(array: ArrayType): ArrayType | undefined {
  const end = array.elements.findIndex(isNever);
  if (end === -1) return array;
  if (end < array.required) return undefined;
  return { elements: array.elements.slice(0, end), required: array.required, rest: NEVER };
}
