import type { JsonObject } from "../../model/json.js";
import { hasFormat } from "../../schema/formats/format-checks.js";
import { isMultipleOf } from "../../schema/pieces/values.js";
import { greatestAt, numbersAt, smallestAt, stringsAt, type Wish } from "./wish.js";

/** Enough for the most items that an array of different numbers may have. */
const MAXIMUM_STEPS = 210;

interface NumberLimits {
  readonly least: number;
  readonly most: number;
  readonly above: number;
  readonly below: number;
  readonly steps: readonly number[];
  readonly isInteger: boolean;
  readonly formats: readonly string[];
}

/** A number that every schema of a place accepts, as far as their keywords for numbers go. */
export function makeNumber(
  schemas: readonly JsonObject[],
  isInteger: boolean,
  wish: Wish,
): number | undefined {
  const limits = numberLimits(schemas, isInteger);
  const likely = wish.seed === 0 ? likelyNumber(schemas, limits, wish) : undefined;
  if (likely !== undefined && fits(likely, limits)) return likely;
  const fitting: number[] = [];
  for (const candidate of candidates(schemas, limits, wish)) {
    if (!fitting.includes(candidate) && fits(candidate, limits)) fitting.push(candidate);
    if (fitting.length > wish.seed) break;
  }
  return fitting[wish.seed] ?? fitting.at(-1);
}

function numberLimits(schemas: readonly JsonObject[], isInteger: boolean): NumberLimits {
  return {
    least: greatestAt(schemas, "minimum", -Infinity),
    most: smallestAt(schemas, "maximum", Infinity),
    above: greatestAt(schemas, "exclusiveMinimum", -Infinity),
    below: smallestAt(schemas, "exclusiveMaximum", Infinity),
    steps: numbersAt(schemas, "multipleOf"),
    isInteger,
    formats: stringsAt(schemas, "format"),
  };
}

function fits(value: number, limits: NumberLimits): boolean {
  return (
    Number.isFinite(value) &&
    value >= limits.least &&
    value <= limits.most &&
    value > limits.above &&
    value < limits.below &&
    (!limits.isInteger || Number.isInteger(value)) &&
    limits.steps.every((step) => isMultipleOf(value, step)) &&
    limits.formats.every((format) => hasFormat(value, format))
  );
}

/** The first of the candidates, where it is soon found: mostly, it fits. */
function likelyNumber(
  schemas: readonly JsonObject[],
  { least, most, above, below }: NumberLimits,
  { bound }: Wish,
): number | undefined {
  if (bound === "high") return finite(Math.min(most, below));
  if (bound === "low") return finite(Math.max(least, above));
  return schemas.some(hasWritten) ? undefined : 1;
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

function hasWritten({ examples, default: standard }: JsonObject): boolean {
  return examples !== undefined || standard !== undefined;
}

function* candidates(
  schemas: readonly JsonObject[],
  limits: NumberLimits,
  wish: Wish,
): Generator<number> {
  if (wish.bound === "typical") {
    yield* schemas.flatMap(writtenNumbers);
    yield* [1, 2, 3];
  }
  const step = Math.max(limits.isInteger ? 1 : 0, ...limits.steps) || 1;
  const low = Math.max(limits.least, limits.above);
  const high = Math.min(limits.most, limits.below);
  const isHigh = wish.bound === "high";
  for (const end of isHigh ? [high, low] : [low, high]) {
    if (Number.isFinite(end)) yield* stepsFrom(end, step, end === low ? 1 : -1);
  }
  if (Number.isFinite(low) && Number.isFinite(high)) yield* between(low, high);
  yield* stepsFrom(0, step, 1);
}

function writtenNumbers({ examples, default: standard }: JsonObject): number[] {
  const values = [...(Array.isArray(examples) ? examples : []), standard];
  return values.filter((value) => typeof value === "number");
}

/** The bound itself, and the multiples of a step beyond it; in decimal, so without `0.30000000000000004`. */
function* stepsFrom(bound: number, step: number, direction: 1 | -1): Generator<number> {
  yield bound;
  const first = direction === 1 ? Math.ceil(bound / step) : Math.floor(bound / step);
  for (let index = 0; index < MAXIMUM_STEPS; index += 1) {
    const value = Number(((first + index * direction) * step).toPrecision(15));
    yield value === 0 ? 0 : value;
  }
}

function between(low: number, high: number): number[] {
  return [1 / 2, 1 / 4, 3 / 4].map((part) => low + (high - low) * part);
}
