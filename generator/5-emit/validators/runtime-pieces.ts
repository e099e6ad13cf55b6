import * as formatPieces from "../../schema/formats/pieces.js";
import * as issuePieces from "./issue-pieces.js";
import {
  canonicalText,
  countCharacters,
  decimalParts,
  findDuplicate,
  isEqual,
  isLonger,
  isMultipleOf,
  isRecord,
  isShorter,
} from "../../schema/pieces/values.js";
import * as unionPieces from "../../schema/pieces/unions.js";

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
