import type { JsonSchema } from "../../model/json.js";
import type { KeywordReader } from "./keyword-reader.js";
import {
  ANY,
  ANY_ARRAY,
  isNever,
  MAX_SPELLED_LENGTHS,
  NEVER,
  type ArrayType,
  type Type,
} from "./type-model.js";

/** The longest array whose length becomes part of its type. */
const MAX_TUPLE_LENGTH = 8;

/** In-place keywords whose subschemas may evaluate items that `unevaluatedItems` then leaves alone. */
const IN_PLACE = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "dependentSchemas",
  "contains",
];

/** What a schema's own keywords say of arrays; undefined where none is possible. */
export function readArray(
  keywords: KeywordReader,
  typeOf: (schema: JsonSchema) => Type,
): ArrayType | undefined {
  const { first, others } = itemSchemas(keywords);
  const rest = others === undefined ? ANY : typeOf(others);
  const elements = first.map(typeOf);
  const required = leastLength(keywords);
  const most = keywords.count("maxItems") ?? Infinity;
  if (required > most || (isNever(rest) && required > elements.length)) return undefined;
  const isOpen = elements.length === 0 && rest === ANY;
  if (isOpen && required === 0 && most === Infinity) return ANY_ARRAY;
  return withLength({ elements, required, rest }, most);
}

function itemSchemas(keywords: KeywordReader): {
  first: readonly JsonSchema[];
  others: JsonSchema | undefined;
} {
  // Draft-07's list form; valid schemas of 2020-12 have none.
  if (Array.isArray(keywords.value("items"))) {
    return { first: keywords.schemas("items"), others: keywords.schema("additionalItems") };
  }
  const evaluatesElsewhere = IN_PLACE.some((name) => keywords.value(name) !== undefined);
  const unevaluated = evaluatesElsewhere ? undefined : keywords.schema("unevaluatedItems");
  return {
    first: keywords.schemas("prefixItems"),
    others: keywords.schema("items") ?? unevaluated,
  };
}

/** `contains` asks for at least one item, unless `minContains` says otherwise. */
function leastLength(keywords: KeywordReader): number {
  const contained = keywords.schema("contains") === undefined ? 0 : 1;
  const least = contained && (keywords.count("minContains") ?? 1);
  return Math.max(keywords.count("minItems") ?? 0, least);
}

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
