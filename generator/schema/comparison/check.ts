import type { Conjunction } from "./conjunction.js";
import type { Answer, Excess, Finding } from "./finding.js";
import type { ObjectNode, SchemaNode } from "./schema-node.js";
import type { Patterns } from "./patterns.js";
import type { SchemaPath } from "../json-schema.js";

/** What the check of a keyword can ask of the comparison to which it belongs. */
export interface Comparing {
  /** Compares schemas of properties or items: finds what `narrow` accepts and `wide` refuses. */
  compareInside(narrow: Conjunction, wide: SchemaNode): Finding[];
  /** Compares schemas of the same value: finds what `narrow` accepts and `wide` refuses. */
  compareBeside(narrow: Conjunction, wide: SchemaNode): Finding[];
  /** True if a node of the narrow schema has the same values as the wide one under all these keywords. */
  holdsSame(narrow: Conjunction, wide: ObjectNode, names: readonly string[]): boolean;
  /** True if it is proven that no value fits both. */
  areDisjoint(left: Conjunction, right: Conjunction): boolean;
  readonly patterns: Patterns;
}

/** Finds what a narrow schema accepts and one keyword, or a group of keywords, of a wide schema refuses. */
export type KeywordCheck = (
  narrow: Conjunction,
  wide: ObjectNode,
  comparing: Comparing,
) => Finding[];

/** Makes a finding about a keyword of the wide schema; `below` is the path to it. */
export function finding(
  answer: Answer,
  excess: Excess,
  narrow: Conjunction,
  wide: ObjectNode,
  below: SchemaPath,
): Finding {
  const name = below[0] === undefined ? undefined : String(below[0]);
  return { answer, excess, narrow: narrow.placeOf(name), wide, below };
}

/** Makes a finding that nothing was proven about a keyword; the keyword "" means that the schema is too large. */
export function undecided(narrow: Conjunction, wide: ObjectNode, keyword: string): Finding {
  const below = keyword === "" ? [] : [keyword];
  return finding("unknown", { kind: "undecided", keyword }, narrow, wide, below);
}
