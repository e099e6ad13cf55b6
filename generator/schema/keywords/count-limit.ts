import type { Conjunction } from "../comparison/conjunction.js";
import type { Finding } from "../comparison/finding.js";
import { keyword, type ObjectNode } from "../comparison/schema-node.js";
import { refusedValues } from "./refused-values.js";
import type { JsonValue } from "../../model/json.js";
import { describeValue } from "../../text/value-words.js";
import { beyondBound } from "../instances/unlike-values.js";
import { BOTH_DIALECTS, type KeywordDefinition, type Words } from "./definition.js";
import { rangeInTable, sizeInComment, type CountedNoun } from "./limit-words.js";

/** What a keyword counts: characters, items or properties. */
export interface Unit {
  readonly subject: "string" | "array" | "object";
  readonly one: string;
  readonly many: string;
  /** The count of a value; undefined for values of other types. */
  readonly countOf: (value: JsonValue) => number | undefined;
  readonly words: Words;
  /** The least count that other keywords imply. */
  readonly leastOf?: (narrow: Conjunction) => number;
  /** The greatest count of the values that tests are made with. */
  readonly most: number;
}

/**
 * Defines a keyword that limits a count at its lower (`least`) or upper end (`most`).
 *
 * @param opposite the keyword for the other end
 */
export function countLimit(
  name: string,
  end: "least" | "most",
  opposite: string,
  unit: Unit,
): KeywordDefinition {
  const [words, message] =
    end === "least"
      ? ["must have at least", "must NOT have fewer than"]
      : ["must have at most", "must NOT have more than"];
  return {
    name,
    shape: "count",
    dialects: BOTH_DIALECTS,
    subject: unit.subject,
    check(value, rule, checking) {
      const count = unit.countOf(value);
      if (count === undefined || typeof rule !== "number") return;
      const isWithin = end === "least" ? count >= rule : count <= rule;
      if (!isWithin) checking.report(`${message} ${rule} ${unit.many}`);
    },
    compare: (narrow, wide) => compareCounts(narrow, wide, { name, end, unit }),
    words: unit.words,
    mayLeaveFew: end === "most",
    join: (one, other) => (end === "least" ? Math.max : Math.min)(Number(one), Number(other)),
    breaking: {
      isConstraint: (rule) => end === "most" || (typeof rule === "number" && rule > 0),
      isBeyondReach: (rule) => end === "most" && Number(rule) >= unit.most,
      candidates: (site) =>
        beyondBound(site, end, {
          type: unit.subject,
          [opposite]: Number(site.rule) + (end === "most" ? 1 : -1),
        }),
    },
    problem: ({ rule, value }) =>
      `${words} ${String(rule)} ${rule === 1 ? unit.one : unit.many}, not ${describeValue(value)}`,
  };
}

/**
 * The words for the limits of both ends.
 *
 * @param inTable the noun in tables, if it is another
 */
export function countWords(
  least: string,
  most: string,
  noun: CountedNoun,
  inTable: CountedNoun = noun,
): Words {
  return {
    table: (schema) => rangeInTable(schema[least], schema[most], inTable),
    comment: (schema) => sizeInComment(schema[least], schema[most], noun),
  };
}

interface CountLimit {
  readonly name: string;
  readonly end: "least" | "most";
  readonly unit: Unit;
}

function compareCounts(narrow: Conjunction, wide: ObjectNode, limit: CountLimit): Finding[] {
  const { name, end, unit } = limit;
  const bound = keyword(wide, name);
  if (typeof bound !== "number" || !narrow.types.has(unit.subject)) return [];
  const isWithin = (count: number): boolean => (end === "least" ? count >= bound : count <= bound);
  if (narrow.values !== undefined) {
    const counts = narrow.values.flatMap((value) => unit.countOf(value) ?? []);
    return counts.every(isWithin)
      ? []
      : [refusedValues(narrow.isExactFor("any"), narrow, wide, name)];
  }
  if (isWithin(boundOf(narrow, limit))) return [];
  const isExplicit = narrow.valuesOf(name).length > 0;
  const isCertain = narrow.isExactFor(isExplicit ? "any" : unit.subject);
  return [refusedValues(isCertain, narrow, wide, name)];
}

/** The bound that the narrow schema is known to have at the same end. */
function boundOf(narrow: Conjunction, { name, end, unit }: CountLimit): number {
  if (end === "most") return narrow.least(name) ?? Infinity;
  return Math.max(narrow.greatest(name) ?? 0, unit.leastOf?.(narrow) ?? 0);
}
