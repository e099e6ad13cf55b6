import type { KeywordCheck } from "../comparison/check.js";
import { Conjunction } from "../comparison/conjunction.js";
import type { Finding } from "../comparison/finding.js";
import {
  keyword,
  schemasIn as nodesIn,
  schemaUnder,
  type ObjectNode,
  type SchemaNode,
} from "../comparison/schema-node.js";
import type { JsonValue } from "../../model/json.js";
import { innerDefaults, isEmpty } from "../defaults/defaults.js";
import type { BreakingSite } from "../instances/breaking-site.js";
import {
  BOTH_DIALECTS,
  DRAFT_07_ONLY,
  MODERN_ONLY,
  type Breaking,
  type Checking,
  type KeywordDefinition,
} from "./definition.js";
import { arrayTypes } from "./array-types.js";
import { itemSchemas, itemSchemasOf, type ItemSchemas } from "./item-schemas.js";

const schemasOf = (checking: Checking): ItemSchemas =>
  itemSchemas((keyword) => checking.beside(keyword));

function checkFirst(value: JsonValue, checking: Checking): void {
  if (!Array.isArray(value)) return;
  const { first } = schemasOf(checking);
  for (const [index, schema] of first.slice(0, value.length).entries()) {
    checking.applyWithin(index, schema);
  }
}

/** Checks the items after those that have a schema of their own. */
function checkRest(value: JsonValue, checking: Checking): void {
  if (!Array.isArray(value)) return;
  const { first, rest } = schemasOf(checking);
  if (rest === undefined) return;
  if (rest === false && first.length > 0) {
    refuseFrom(first.length, value, checking);
    return;
  }
  for (let index = first.length; index < value.length; index += 1) {
    checking.applyWithin(index, rest);
  }
}

/** Reports once that there are too many items, and counts the refused ones as evaluated. */
export function refuseFrom(
  start: number,
  value: readonly JsonValue[],
  checking: Checking,
  refused: readonly number[] = [...value.keys()].slice(start),
): void {
  if (refused.length === 0) return;
  const tried = refused.map((index) =>
    checking
      .attempt(false, value[index] ?? null)
      .findings.map((finding) => ({ ...finding, path: [index] })),
  );
  checking.evaluate(refused);
  checking.report(`must NOT have more than ${start} items`, { tried });
}

/** Arrays with more items than have a schema. */
function withFurtherItem({ value, schemas }: BreakingSite): JsonValue[] {
  if (!Array.isArray(value)) return [];
  // Fill the array up to the first index at which every item is refused.
  const refused = Array.from({ length: 20 }, (_, index) => index).find((index) =>
    itemSchemasOf(schemas, index).includes(false),
  );
  const filled = Array.from({ length: refused ?? 0 }, (_, index) => value[index] ?? "text");
  return [
    [...value, "text"],
    [...filled, "text"],
    [...value, ...value, "text"],
  ];
}

/** How the keywords for all other items are broken. */
export const refusingItems: Breaking = {
  isConstraint: (rule) => rule === false,
  candidates: withFurtherItem,
};

/** Compares `prefixItems` and `items` together, or draft-07's `items` and `additionalItems`. */
const compareItems: KeywordCheck = (narrow, wide, comparing) => {
  if (!narrow.types.has("array")) return [];
  const { first, rest } = itemNodes(wide);
  if (first.length === 0 && rest === undefined) return [];
  const longest = narrow.least("maxItems") ?? Infinity;
  const narrowPrefixes = narrow.nodes.map((node) => itemNodes(node).first.length);
  const prefix = Math.max(first.length, ...narrowPrefixes);
  const findings: Finding[] = [];
  // The items after the longest prefix all have the same schemas as the first of them.
  for (let index = 0; index <= prefix && index < longest; index += 1) {
    const expected = first[index] ?? rest;
    if (expected === undefined) continue;
    findings.push(...comparing.compareInside(itemsAt(narrow, index), expected));
  }
  return findings;
};

/** `ItemSchemas` as nodes. */
interface ItemNodes {
  readonly first: readonly SchemaNode[];
  readonly rest: SchemaNode | undefined;
}

function itemNodes(node: ObjectNode): ItemNodes {
  const { keywords } = itemSchemas((name) => keyword(node, name));
  return { first: nodesIn(node, keywords.first), rest: schemaUnder(node, keywords.rest) };
}

function itemsAt(narrow: Conjunction, index: number): Conjunction {
  const schemas = narrow.nodes.flatMap((node) => {
    const { first, rest } = itemNodes(node);
    return first[index] ?? rest ?? [];
  });
  const place = narrow.placeOf("items");
  return new Conjunction(schemas, { ...place, path: [...place.path, "items"] });
}

export const prefixItems: KeywordDefinition = {
  name: "prefixItems",
  instead: "use a list under items",
  typedWith: "items",
  mayLeaveFew: true,
  shape: "schema list",
  dialects: MODERN_ONLY,
  subject: "array",
  check: (value, _rule, checking) => checkFirst(value, checking),
};

/** A schema for all other items, or a list of schemas in draft-07. */
export const items: KeywordDefinition = {
  name: "items",
  compare: compareItems,
  type: arrayTypes,
  defaults(rule, collecting) {
    const items = innerDefaults(collecting.collect(rule));
    return isEmpty(items) ? {} : { items };
  },
  mayLeaveFew: true,
  shape: "schema or schema list",
  dialects: BOTH_DIALECTS,
  subject: "array",
  reportsTried: "itself",
  breaking: refusingItems,
  check: (value, rule, checking) =>
    Array.isArray(rule) ? checkFirst(value, checking) : checkRest(value, checking),
};

export const additionalItems: KeywordDefinition = {
  name: "additionalItems",
  instead: "use items beside prefixItems",
  typedWith: "items",
  shape: "schema",
  dialects: DRAFT_07_ONLY,
  subject: "array",
  reportsTried: "itself",
  breaking: refusingItems,
  check(value, _rule, checking) {
    if (Array.isArray(checking.beside("items"))) checkRest(value, checking);
  },
};
