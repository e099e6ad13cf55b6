import type { Conjunction } from "../comparison/conjunction.js";
import type { Finding } from "../comparison/finding.js";
import { keyword, type ObjectNode } from "../comparison/schema-node.js";
import { NUMBERS } from "../comparison/value-types.js";
import { refusedValues } from "./refused-values.js";
import { describeValue } from "../../text/value-words.js";
import { beyondBound } from "../instances/unlike-values.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import { labelled, rangeInTable } from "./limit-words.js";
import { BOTH_DIALECTS, type KeywordDefinition, type Words } from "./definition.js";

interface Bound {
  readonly name: string;
  /** The operator between an accepted value and the bound: `<=`. */
  readonly relation: string;
  readonly words: string;
  readonly isWithin: (value: number, bound: number) => boolean;
  readonly end: "least" | "most";
  /** The keyword that accepts, with the same bound, the numbers that this one refuses. */
  readonly opposite: string;
}

/** In draft-04, the exclusive keywords were booleans beside `minimum` and `maximum`. */
function adviceForExclusive(name: string, rule: JsonValue): string | undefined {
  const other = name === "exclusiveMinimum" ? "minimum" : "maximum";
  const advice = `it is draft-04's; write ${name} with the number, instead of ${other}`;
  return rule === true ? advice : undefined;
}

/** The words for exclusive bounds, which follow those for the others. */
function exclusiveWords({
  exclusiveMinimum: above,
  exclusiveMaximum: below,
}: JsonObject): string[] {
  return [...labelled("above", above), ...labelled("below", below)];
}

/** The bounds for people: without those that zod writes for every integer, beyond which JavaScript rounds. */
function shownBounds({
  minimum,
  maximum,
}: JsonObject): Partial<Record<"minimum" | "maximum", JsonValue>> {
  return {
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

const RANGE: Words = {
  table(schema) {
    const { minimum: least, maximum: most } = shownBounds(schema);
    return [...rangeInTable(least, most), ...exclusiveWords(schema)];
  },
  comment(schema) {
    const { minimum: least, maximum: most } = shownBounds(schema);
    const isRange = typeof least === "number" && typeof most === "number";
    const within = isRange
      ? [`${least} to ${most}`]
      : [...labelled("at least", least), ...labelled("at most", most)];
    return [...within, ...exclusiveWords(schema)];
  },
};

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
  compare: (narrow, wide) => compareBound(narrow, wide, name, end),
  words: RANGE,
  ...(name.startsWith("exclusive") && { adviceFor: (rule) => adviceForExclusive(name, rule) }),
  mayLeaveFew: end === "most",
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

/** The two bounds of each end. Multiplied by `sign`, every bound becomes a lower bound. */
const ENDS = {
  least: { inclusive: "minimum", exclusive: "exclusiveMinimum", sign: 1 },
  most: { inclusive: "maximum", exclusive: "exclusiveMaximum", sign: -1 },
} as const;

function compareBound(
  narrow: Conjunction,
  wide: ObjectNode,
  name: string,
  end: keyof typeof ENDS,
): Finding[] {
  const { inclusive, exclusive, sign } = ENDS[end];
  const limit = keyword(wide, name);
  if (typeof limit !== "number" || !NUMBERS.some((type) => narrow.types.has(type))) return [];
  const wideBound = { value: limit * sign, isExclusive: name === exclusive };
  if (narrow.values !== undefined) {
    const numbers = narrow.values.filter((value) => typeof value === "number");
    return numbers.every((value) => isAbove(value * sign, wideBound))
      ? []
      : [refusedValues(narrow.isExactFor("any"), narrow, wide, name)];
  }
  const narrowBounds = lowerBounds(narrow, inclusive, exclusive, sign);
  if (narrowBounds.some((bound) => implies(bound, wideBound, narrow))) return [];
  const isCertain = narrow.isExactFor(narrowBounds.length > 0 ? "any" : "number");
  return [refusedValues(isCertain, narrow, wide, name)];
}

interface LowerBound {
  readonly value: number;
  readonly isExclusive: boolean;
}

function isAbove(value: number, { value: limit, isExclusive }: LowerBound): boolean {
  return isExclusive ? value > limit : value >= limit;
}

function lowerBounds(
  narrow: Conjunction,
  inclusive: string,
  exclusive: string,
  sign: 1 | -1,
): LowerBound[] {
  const bound = (name: string): number[] =>
    narrow.valuesOf(name).flatMap((value) => (typeof value === "number" ? [value * sign] : []));
  return [
    ...bound(inclusive).map((value) => ({ value, isExclusive: false })),
    ...bound(exclusive).map((value) => ({ value, isExclusive: true })),
  ];
}

/** True if every number of the conjunction's types within one bound is within the other. */
function implies(bound: LowerBound, other: LowerBound, { types }: Conjunction): boolean {
  if (bound.value > other.value) return true;
  if (bound.value === other.value) return bound.isExclusive || !other.isExclusive;
  const isInteger = !types.has("fraction");
  return isInteger && leastInteger(bound) >= leastInteger(other);
}

/** The least integer within a bound; NaN, which implies nothing, where doubles cannot tell integers apart. */
function leastInteger({ value, isExclusive }: LowerBound): number {
  if (Math.abs(value) >= Number.MAX_SAFE_INTEGER) return NaN;
  return isExclusive ? Math.floor(value) + 1 : Math.ceil(value);
}
