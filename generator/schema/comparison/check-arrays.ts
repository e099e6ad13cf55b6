import { undecided, type Comparing, type KeywordCheck } from "./check.js";
import { Conjunction } from "./conjunction.js";
import type { Finding } from "./finding.js";
import {
  keyword,
  schemasIn,
  schemaUnder,
  type ObjectNode,
  type SchemaNode,
} from "./schema-node.js";

/** `prefixItems` and `items`; in draft-07 `items` and `additionalItems`. */
export const checkItems: KeywordCheck = (narrow, wide, comparing) => {
  if (!narrow.types.has("array")) return [];
  const { first, rest } = itemSchemas(wide);
  if (first.length === 0 && rest === undefined) return [];
  const longest = narrow.least("maxItems") ?? Infinity;
  const own = narrow.nodes.map((node) => itemSchemas(node).first.length);
  const prefix = Math.max(first.length, ...own);
  const found: Finding[] = [];
  // The position after every prefix stands for all that follow.
  for (let index = 0; index <= prefix && index < longest; index += 1) {
    const expected = first[index] ?? rest;
    if (expected === undefined) continue;
    found.push(...comparing.compareInside(itemsAt(narrow, index), expected));
  }
  return found;
};

interface ItemSchemas {
  /** Of the first items, one each. */
  readonly first: readonly SchemaNode[];
  /** Of all others; undefined where these can be anything. */
  readonly rest: SchemaNode | undefined;
}

function itemSchemas(node: ObjectNode): ItemSchemas {
  const isTuple = Array.isArray(keyword(node, "items"));
  return isTuple && node.source.dialect === "draft-07"
    ? { first: schemasIn(node, "items"), rest: schemaUnder(node, "additionalItems") }
    : { first: schemasIn(node, "prefixItems"), rest: schemaUnder(node, "items") };
}

function itemsAt(narrow: Conjunction, index: number): Conjunction {
  const schemas = narrow.nodes.flatMap((node) => {
    const { first, rest } = itemSchemas(node);
    return first[index] ?? rest ?? [];
  });
  const place = narrow.placeOf("items");
  return new Conjunction(schemas, { ...place, path: [...place.path, "items"] });
}

/** `contains` with its two limits */
export const checkContains: KeywordCheck = (narrow, wide, comparing) => {
  const hasNone = keyword(wide, "contains") === undefined;
  if (hasNone || !narrow.types.has("array")) return [];
  return holdsContains(narrow, wide, comparing) ? [] : [undecided(narrow, wide, "contains")];
};

function holdsContains(narrow: Conjunction, wide: ObjectNode, comparing: Comparing): boolean {
  const isVacuous =
    keyword(wide, "minContains") === 0 && keyword(wide, "maxContains") === undefined;
  return isVacuous || comparing.holdsSame(narrow, wide, ["contains", "minContains", "maxContains"]);
}
