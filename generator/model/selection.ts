import type { JsonValue } from "./json.js";

/**
 * What a selection makes of a value, as a tree. It is the part of JMESPath (https://jmespath.org/specification.html)
 * that a schema can be derived from; the current value is that on which a node works.
 */
export type Selection =
  | { readonly kind: "current" }
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "item"; readonly index: number }
  | {
      readonly kind: "slice";
      readonly start: number | null;
      readonly stop: number | null;
      readonly step: number;
    }
  /** `a.b` and `a | b`: the next selection works on what the first one found. */
  | { readonly kind: "then"; readonly first: Selection; readonly next: Selection }
  /** `a[]`, without what follows. */
  | { readonly kind: "flat"; readonly of: Selection }
  /** `a.*`, without what follows. */
  | { readonly kind: "members"; readonly of: Selection }
  /** `a[?test]`, without what follows. */
  | { readonly kind: "where"; readonly of: Selection; readonly test: Selection }
  /** `a[*].select`: what the selection makes of each item, without nulls. */
  | { readonly kind: "each"; readonly of: Selection; readonly select: Selection }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, Selection])[] }
  | { readonly kind: "list"; readonly items: readonly Selection[] }
  | { readonly kind: "either" | "both"; readonly first: Selection; readonly other: Selection }
  | { readonly kind: "not"; readonly of: Selection }
  | {
      readonly kind: "compare";
      readonly operator: "==" | "!=" | "<" | "<=" | ">" | ">=";
      readonly left: Selection;
      readonly right: Selection;
    }
  | { readonly kind: "call"; readonly name: FunctionName; readonly given: readonly Selection[] };

/** The functions of JMESPath that selections may call, each with the least and the greatest number of arguments. */
export const FUNCTIONS = {
  contains: [2, 2],
  ends_with: [2, 2],
  join: [2, 2],
  keys: [1, 1],
  length: [1, 1],
  not_null: [1, Number.POSITIVE_INFINITY],
  starts_with: [2, 2],
  sum: [1, 1],
  to_string: [1, 1],
  values: [1, 1],
} as const satisfies Readonly<Record<string, readonly [least: number, most: number]>>;

export type FunctionName = keyof typeof FUNCTIONS;
