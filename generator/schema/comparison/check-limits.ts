import type { JsonValue } from "../../model/json.js";
import { isJsonObject } from "../../model/json.js";
import { finding, type KeywordCheck } from "./check.js";
import type { Aspect, Conjunction } from "./conjunction.js";
import type { Answer, Finding } from "./finding.js";
import { keyword, type ObjectNode } from "./schema-node.js";
import { NUMBERS } from "./value-types.js";

interface CountKeyword {
  readonly name: string;
  readonly aspect: Aspect & ("string" | "array" | "object");
  readonly bound: "least" | "most";
}

const COUNTS: readonly CountKeyword[] = [
  { name: "minLength", aspect: "string", bound: "least" },
  { name: "maxLength", aspect: "string", bound: "most" },
  { name: "minItems", aspect: "array", bound: "least" },
  { name: "maxItems", aspect: "array", bound: "most" },
  { name: "minProperties", aspect: "object", bound: "least" },
  { name: "maxProperties", aspect: "object", bound: "most" },
];

/** The limits on lengths, and on how many items and properties there are. */
export const checkCounts: KeywordCheck = (narrow, wide) =>
  COUNTS.flatMap((count) => {
    const limit = keyword(wide, count.name);
    if (typeof limit !== "number" || !narrow.types.has(count.aspect)) return [];
    const isWithin = (value: number): boolean =>
      count.bound === "least" ? value >= limit : value <= limit;
    if (narrow.values !== undefined) {
      const sizes = narrow.values.map((value) => sizeOf(value, count.aspect));
      return sizes.every((size) => size === undefined || isWithin(size))
        ? []
        : [outOfRange(certainly(narrow.isExactFor("any")), narrow, wide, count.name)];
    }
    if (isWithin(ownCount(narrow, count))) return [];
    const isExplicit = narrow.valuesOf(count.name).length > 0;
    const isCertain = isExplicit ? narrow.isExactFor("any") : narrow.isExactFor(count.aspect);
    return [outOfRange(certainly(isCertain), narrow, wide, count.name)];
  });

/** The bound that the narrow schema has itself, as far as it is known. */
function ownCount(narrow: Conjunction, { name, bound }: CountKeyword): number {
  if (bound === "most") return narrow.least(name) ?? Infinity;
  const stated = narrow.greatest(name) ?? 0;
  return name === "minProperties" ? Math.max(stated, narrow.required.size) : stated;
}

/** The length or number of members of a value, undefined where the keyword is not about it. */
function sizeOf(value: JsonValue, aspect: CountKeyword["aspect"]): number | undefined {
  if (aspect === "string") return typeof value === "string" ? [...value].length : undefined;
  if (aspect === "array") return Array.isArray(value) ? value.length : undefined;
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

/** `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum` */
export const checkBounds: KeywordCheck = (narrow, wide) => [
  ...checkBound(narrow, wide, "minimum", "exclusiveMinimum", 1),
  ...checkBound(narrow, wide, "maximum", "exclusiveMaximum", -1),
];

/** @param sign 1 for lower bounds; -1 turns upper bounds into lower ones of the negated numbers */
function checkBound(
  narrow: Conjunction,
  wide: ObjectNode,
  inclusive: string,
  exclusive: string,
  sign: 1 | -1,
): Finding[] {
  if (!NUMBERS.some((type) => narrow.types.has(type))) return [];
  return [inclusive, exclusive].flatMap((name) => {
    const limit = keyword(wide, name);
    if (typeof limit !== "number") return [];
    const wanted = { value: limit * sign, isExclusive: name === exclusive };
    if (narrow.values !== undefined) {
      const numbers = narrow.values.filter((value) => typeof value === "number");
      return numbers.every((value) => isAbove(value * sign, wanted))
        ? []
        : [outOfRange(certainly(narrow.isExactFor("any")), narrow, wide, name)];
    }
    const own = lowerBounds(narrow, inclusive, exclusive, sign);
    if (own.some((bound) => implies(bound, wanted, narrow))) return [];
    const isCertain = narrow.isExactFor(own.length > 0 ? "any" : "number");
    return [outOfRange(certainly(isCertain), narrow, wide, name)];
  });
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

/** Whether every number within one bound is within the other. */
function implies(bound: LowerBound, wanted: LowerBound, { types }: Conjunction): boolean {
  if (bound.value > wanted.value) return true;
  if (bound.value === wanted.value) return bound.isExclusive || !wanted.isExclusive;
  const isWhole = !types.has("fraction");
  return isWhole && leastInteger(bound) >= leastInteger(wanted);
}

/** The least integer within a bound; where doubles are too coarse, the bound itself is the answer. */
function leastInteger({ value, isExclusive }: LowerBound): number {
  if (Math.abs(value) >= Number.MAX_SAFE_INTEGER) return NaN;
  return isExclusive ? Math.floor(value) + 1 : Math.ceil(value);
}

/** `multipleOf` */
export const checkMultipleOf: KeywordCheck = (narrow, wide) => {
  const divisor = keyword(wide, "multipleOf");
  if (typeof divisor !== "number" || !NUMBERS.some((type) => narrow.types.has(type))) return [];
  const own = narrow.valuesOf("multipleOf").filter((value) => typeof value === "number");
  const isWhole = !narrow.types.has("fraction");
  const divisors = isWhole ? [...own, 1] : own;
  if (divisors.some((one) => isDivisible(one, divisor))) return [];
  const isCertain = narrow.values === undefined && narrow.isExactFor("number");
  return [outOfRange(certainly(isCertain), narrow, wide, "multipleOf")];
};

/** Fractions are compared for equality only, since multiples of them are rounded. */
function isDivisible(number: number, divisor: number): boolean {
  if (number === divisor) return true;
  return Number.isInteger(number) && Number.isInteger(divisor) && number % divisor === 0;
}

/** `uniqueItems` */
export const checkUniqueItems: KeywordCheck = (narrow, wide) => {
  if (keyword(wide, "uniqueItems") !== true || !narrow.types.has("array")) return [];
  if (narrow.valuesOf("uniqueItems").includes(true)) return [];
  if ((narrow.least("maxItems") ?? Infinity) <= 1) return [];
  const isOpen = ["items", "prefixItems"].every((name) => narrow.valuesOf(name).length === 0);
  const isCertain = narrow.values === undefined && isOpen && narrow.isExactFor("array");
  return [outOfRange(certainly(isCertain), narrow, wide, "uniqueItems")];
};

function certainly(isCertain: boolean): Answer {
  return isCertain ? "incompatible" : "unknown";
}

function outOfRange(answer: Answer, narrow: Conjunction, wide: ObjectNode, name: string): Finding {
  const excess = {
    kind: "range",
    keyword: name,
    narrow: narrow.valuesOf(name)[0],
    wide: keyword(wide, name) ?? null,
  } as const;
  return finding(answer, excess, narrow, wide, [name]);
}
