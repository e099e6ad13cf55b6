import * as formatPieces from "../../schema/formats/pieces.js";
import * as issuePieces from "./issue-pieces.js";
import * as unionPieces from "./union-pieces.js";

/**
 * The functions that compiled validators call. They run here as they stand, and their text goes
 * into the generated module, each once and only where something calls it; so they use nothing
 * but their arguments and each other, and no constant of this module.
 */

/** A validator's function that others call, in AJV's shape. */
export interface CalledPart {
  errors?: unknown[] | null;
  readonly evaluated?: { props?: unknown; items?: unknown };
}

/** What a function found of a value, and what it evaluated of it. */
export interface Outcome {
  readonly part: CalledPart;
  readonly valid: boolean;
  readonly errors: unknown[] | null;
  readonly props: unknown;
  readonly items: unknown;
  /** What another function found of the same value before. */
  readonly earlier: Outcome | undefined;
}

/** One check of a value by a validator whose functions may call each other without end. */
export interface BoundedRun {
  /** So many calls may still be made. */
  calls: number;
  /** So many outcomes may still be kept. */
  space: number;
  /** By value, the newest; a map for each function would cost far more to fill. */
  outcomes: Map<unknown, Outcome>;
}

/** The outcome for a value that the function has met before; else counts a call. */
export function recall(run: BoundedRun, part: CalledPart, data: unknown): boolean | undefined {
  let outcome = run.outcomes.get(data);
  while (outcome !== undefined && outcome.part !== part) outcome = outcome.earlier;
  if (outcome === undefined) {
    if (run.calls === 0) throw run;
    run.calls -= 1;
    return undefined;
  }
  part.errors = outcome.errors;
  if (part.evaluated !== undefined) {
    part.evaluated.props = outcome.props;
    part.evaluated.items = outcome.items;
  }
  return outcome.valid;
}

/** Keeps an outcome that took calls of others: if alternatives asked again at each level, they would double the work each time. */
export function remember(
  run: BoundedRun,
  part: CalledPart,
  data: unknown,
  valid: boolean,
  callsBefore: number,
): boolean {
  if (run.calls === callsBefore || run.space === 0) return valid;
  // The same object stands in one place, the same text in many.
  if (typeof data !== "object" || data === null) return valid;
  run.space -= 1;
  const { errors = null, evaluated } = part;
  const earlier = run.outcomes.get(data);
  const { props, items } = evaluated ?? {};
  run.outcomes.set(data, { part, valid, errors, props, items, earlier });
  return valid;
}

/** Checks a value with bounded effort. What is not checked to the end is refused, wherever in the schema that was. */
export function checkBounded(
  run: BoundedRun,
  exported: CalledPart,
  validate: CalledPart & ((data: unknown) => boolean),
  data: unknown,
): boolean {
  run.calls = 300_000;
  run.space = 100_000;
  try {
    const valid = validate(data);
    exported.errors = validate.errors ?? null;
    return valid;
  } catch (error) {
    // Beside a spent run: the stack, which is a RangeError.
    if (error !== run && !(error instanceof RangeError)) throw error;
    const message = "is too deep or too costly to be checked";
    exported.errors = [{ instancePath: "", keyword: "cost", message }];
    return false;
  } finally {
    run.outcomes = new Map();
  }
}

/** Whether a value is what JSON Schema calls an object. */
export function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a text has more characters than so many; mostly, its length in code units tells. */
export function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || countCharacters(text) > most;
}

/** Whether a text has fewer characters than so many. */
export function isShorter(text: string, least: number): boolean {
  if (text.length >= 2 * least) return false;
  return text.length < least || countCharacters(text) < least;
}

/** The length that JSON Schema counts: code points, where a lone surrogate is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const isPair = (text.codePointAt(index) ?? 0) > 0xffff;
    if (isPair) index += 1;
    count += 1;
  }
  return count;
}

export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object") return false;
  if (left === null || right === null || Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(right, name) &&
      isEqual((left as Record<string, unknown>)[name], (right as Record<string, unknown>)[name]),
  );
}

/** One text for all equal JSON values: names sorted, `-0` as `0`. */
export function canonicalText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`,
  );
  return `{${members.sort().join()}}`;
}

/** The indexes of the first item that repeats an earlier one, and of that one. */
export function findDuplicate(
  items: readonly unknown[],
): { repeated: number; first: number } | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = canonicalText(item);
    const first = seen.get(text);
    if (first !== undefined) return { repeated: index, first };
    seen.set(text, index);
  }
  return undefined;
}

/** Splits a number into whole digits and a power of ten. */
export function decimalParts(value: number): { digits: bigint; exponent: number } {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Counts in decimal, as the numbers are written: 19.99 is a multiple of 0.01. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (value % divisor === 0) return true;
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && Number.isInteger(divisor)) return false;
  const left = decimalParts(value);
  const right = decimalParts(divisor);
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = left.digits * 10n ** BigInt(left.exponent - exponent);
  return scaled % (right.digits * 10n ** BigInt(right.exponent - exponent)) === 0n;
}

/** All of them. */
export const PIECES: readonly ((...values: never[]) => unknown)[] = [
  ...Object.values(issuePieces),
  recall,
  remember,
  checkBounded,
  isRecord,
  isLonger,
  isShorter,
  countCharacters,
  isEqual,
  canonicalText,
  findDuplicate,
  decimalParts,
  isMultipleOf,
  ...Object.values(unionPieces),
  ...Object.values(formatPieces),
];
