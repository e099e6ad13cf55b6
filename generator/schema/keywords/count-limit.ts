import type { JsonValue } from "../../model/json.js";
import { describeValue } from "../../text/value-words.js";
import { beyondBound } from "../instances/unlike-values.js";
import { BOTH_DIALECTS, type KeywordDefinition, type Subject } from "./definition.js";

/** What a value is counted in. */
export interface Unit {
  readonly subject: Subject;
  readonly one: string;
  readonly many: string;
  /** How many there are; undefined for values of other types. */
  readonly countOf: (value: JsonValue) => number | undefined;
  /** More are not made. */
  readonly most: number;
}

/**
 * A keyword that says how many there must be at least, or may be at most.
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
