import type { JsonObject } from "../../model/json.js";
import { stepOf } from "../keywords/index.js";
import { meetsTypeKeywords } from "./type-keywords.js";
import { greatestAt, smallestAt, type ValueRequest } from "./value-request.js";

/** Candidates per bound: enough for an array of different numbers with the most items. */
const MAXIMUM_STEPS = 210;

interface NumberLimits {
  readonly low: number;
  readonly high: number;
  /** The distance between two candidates. */
  readonly step: number;
}

/** A number that meets the number keywords of all schemas; undefined if none was found. */
export function makeNumber(
  schemas: readonly JsonObject[],
  isInteger: boolean,
  request: ValueRequest,
): number | undefined {
  const limits = numberLimits(schemas, isInteger);
  const fits = (value: number): boolean =>
    Number.isFinite(value) &&
    (!isInteger || Number.isInteger(value)) &&
    schemas.every((schema) => meetsTypeKeywords(value, schema));
  const fitting: number[] = [];
  const tried = new Set<number>();
  for (const candidate of candidates(schemas, limits, request)) {
    if (!tried.has(candidate) && fits(candidate)) fitting.push(candidate);
    tried.add(candidate);
    if (fitting.length > request.seed) break;
  }
  return fitting[request.seed] ?? fitting.at(-1);
}

function numberLimits(schemas: readonly JsonObject[], isInteger: boolean): NumberLimits {
  const step = Math.max(isInteger ? 1 : 0, ...schemas.map(stepOf));
  return {
    low: greatestAt(schemas, "minimum", greatestAt(schemas, "exclusiveMinimum", -Infinity)),
    high: smallestAt(schemas, "maximum", smallestAt(schemas, "exclusiveMaximum", Infinity)),
    step: step || 1,
  };
}

function* candidates(
  schemas: readonly JsonObject[],
  { low, high, step }: NumberLimits,
  request: ValueRequest,
): Generator<number> {
  if (request.bound === "typical") {
    yield* schemas.flatMap(exampleNumbers);
    yield* [1, 2, 3];
  }
  const isHigh = request.bound === "high";
  for (const end of isHigh ? [high, low] : [low, high]) {
    if (Number.isFinite(end)) yield* stepsFrom(end, step, end === low ? 1 : -1);
  }
  if (Number.isFinite(low) && Number.isFinite(high)) yield* between(low, high);
  yield* stepsFrom(0, step, 1);
}

function exampleNumbers({ examples, default: standard }: JsonObject): number[] {
  const values = [...(Array.isArray(examples) ? examples : []), standard];
  return values.filter((value) => typeof value === "number");
}

/** The bound itself, then multiples of a step beyond it, rounded to 15 digits to avoid `0.30000000000000004`. */
function* stepsFrom(bound: number, step: number, direction: 1 | -1): Generator<number> {
  yield bound;
  const first = direction === 1 ? Math.ceil(bound / step) : Math.floor(bound / step);
  for (let index = 0; index < MAXIMUM_STEPS; index += 1) {
    const value = Number(((first + index * direction) * step).toPrecision(15));
    yield value === 0 ? 0 : value;
  }
}

function between(low: number, high: number): number[] {
  return [1 / 2, 1 / 4, 3 / 4].map((fraction) => low + (high - low) * fraction);
}
