import { describeValue } from "../../text/value-words.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

interface Bound {
  readonly name: string;
  /** How a value that is within is compared with the bound. */
  readonly relation: string;
  readonly words: string;
  readonly isWithin: (value: number, bound: number) => boolean;
}

const boundOf = ({ name, relation, words, isWithin }: Bound): KeywordDefinition => ({
  name,
  shape: "number",
  dialects: BOTH_DIALECTS,
  subject: "number",
  check(value, rule, checking) {
    if (typeof value !== "number" || typeof rule !== "number" || isWithin(value, rule)) return;
    checking.report(`must be ${relation} ${rule}`);
  },
  problem: ({ rule, value }) => `must be ${words} ${String(rule)}, not ${describeValue(value)}`,
});

export const maximum = boundOf({
  name: "maximum",
  relation: "<=",
  words: "at most",
  isWithin: (value, bound) => value <= bound,
});

export const minimum = boundOf({
  name: "minimum",
  relation: ">=",
  words: "at least",
  isWithin: (value, bound) => value >= bound,
});

export const exclusiveMaximum = boundOf({
  name: "exclusiveMaximum",
  relation: "<",
  words: "less than",
  isWithin: (value, bound) => value < bound,
});

export const exclusiveMinimum = boundOf({
  name: "exclusiveMinimum",
  relation: ">",
  words: "more than",
  isWithin: (value, bound) => value > bound,
});
