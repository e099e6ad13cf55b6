import type { Conjunction } from "./conjunction.js";
import type { Answer, Excess, Finding } from "./finding.js";
import type { ObjectNode, SchemaNode } from "./schema-node.js";
import type { Patterns } from "./patterns.js";
import type { SchemaPath } from "../json-schema.js";

/** What the checks of keywords need of the comparison that they are part of. */
export interface Comparing {
  /** What a part of the narrow schema's values accepts and a part of the wide one refuses. */
  compareInside(narrow: Conjunction, wide: SchemaNode): Finding[];
  /** The same for another schema of the same values. */
  compareBeside(narrow: Conjunction, wide: SchemaNode): Finding[];
  /** Whether some node of the narrow schema has the same under all these keywords. */
  holdsSame(narrow: Conjunction, wide: ObjectNode, names: readonly string[]): boolean;
  /** Whether no value fits both; `false` also where that is not proven. */
  areDisjoint(left: Conjunction, right: Conjunction): boolean;
  readonly patterns: Patterns;
}

/** Whether the narrow schema implies one keyword of the wide one, or a group of them: nothing where it does. */
export type KeywordCheck = (
  narrow: Conjunction,
  wide: ObjectNode,
  comparing: Comparing,
) => Finding[];

/** A finding at a keyword of the wide schema. */
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

/** The finding that nothing was proven about a keyword; "" for the whole schema, which is too large. */
export function undecided(narrow: Conjunction, wide: ObjectNode, keyword: string): Finding {
  const below = keyword === "" ? [] : [keyword];
  return finding("unknown", { kind: "undecided", keyword }, narrow, wide, below);
}
