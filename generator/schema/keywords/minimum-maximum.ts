import { describeValue } from "../../text/value-words.js";
import { beyondBound } from "../instances/unlike-values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

interface Bound {
  readonly name: string;
  /** How a value that is within is compared with the bound. */
  readonly relation: string;
  readonly words: string;
  readonly isWithin: (value: number, bound: number) => boolean;
  readonly end: "least" | "most";
  /** The keyword that with the same bound accepts all that this one refuses. */
  readonly opposite: string;
}

const boundOf = ({ name, relation, words, isWithin, end, opposite }: Bound): KeywordDefinition => ({
  name,
  shape: "number",
  dialects: BOTH_DIALECTS,
  subject: "number",
  check(value, rule, checking) {
    if (typeof value !== "number" || typeof rule !== "number" || isWithin(value, rule)) return;
    checking.report(`must be ${relation} ${rule}`);
  },
  breaking: { candidates: (site) => beyondBound(site, end, { [opposite]: site.rule }) },
  problem: ({ rule, value }) => `must be ${words} ${String(rule)}, not ${describeValue(value)}`,
});

export const maximum = boundOf({
  name: "maximum",
  relation: "<=",
  words: "at most",
  isWithin: (value, bound) => value <= bound,
  end: "most",
  opposite: "exclusiveMinimum",
});

export const minimum = boundOf({
  name: "minimum",
  relation: ">=",
  words: "at least",
  isWithin: (value, bound) => value >= bound,
  end: "least",
  opposite: "exclusiveMaximum",
});

export const exclusiveMaximum = boundOf({
  name: "exclusiveMaximum",
  relation: "<",
  words: "less than",
  isWithin: (value, bound) => value < bound,
  end: "most",
  opposite: "minimum",
});

export const exclusiveMinimum = boundOf({
  name: "exclusiveMinimum",
  relation: ">",
  words: "more than",
  isWithin: (value, bound) => value > bound,
  end: "least",
  opposite: "maximum",
});
