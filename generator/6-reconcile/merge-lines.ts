import { diff3MergeRegions, diffComm, type IRegion } from "node-diff3";
import type { TextRange } from "../text/text-place.js";
import { lineEndOf } from "../text/line-ends.js";

/** Lines that both sides changed; the user's stayed. */
export interface LineConflict {
  /** Range of the user's lines in the merged text; empty where the user removed them. */
  readonly at: TextRange;
  /** Numbers of the first and the last of these lines; the last is below the first if there are none. */
  readonly lines: readonly [first: number, last: number];
  /** The generated lines; empty if they are no longer generated. */
  readonly ours: readonly string[];
}

export interface MergedLines {
  /** The user's text with the generated changes. */
  readonly text: string;
  readonly conflicts: readonly LineConflict[];
  /** True if the user's text has next to nothing of the base: nothing is merged into it. */
  readonly isReplaced: boolean;
}

/** The user's text counts as another one if it has less than this share of the base's lines. */
const LEAST_SHARE = 0.1;
/** The most pairs of lines that are compared; more could take seconds. */
const MAX_PAIRS = 50_000_000;

/** The lines of a text, without their ends. A final line end begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * Three-way merge, line by line, into a text that the user owns. Applies the changes from `base` to `ours`, except to
 * lines that the user changed too. The user's line ends, and a missing final one, stay.
 *
 * @param base lines of the former generation
 * @param ours lines of this generation
 * @param text the user's file, without a byte-order mark
 */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  text: string,
): MergedLines {
  const theirs = linesOf(text);
  if (isOtherText(base, theirs)) {
    const isChanged = !areSame(base, ours);
    const whole = { at: { start: 0, end: 0 }, lines: [1, theirs.length] as const, ours };
    return { text, conflicts: isChanged ? [whole] : [], isReplaced: true };
  }
  const parts = diff3MergeRegions([...theirs], [...base], [...ours]).flatMap(mergedParts);
  const merged = withLineEnds(
    parts.flatMap(({ lines }) => lines),
    text,
  );
  return { text: merged, conflicts: conflictsIn(parts, merged), isReplaced: false };
}

function isOtherText(base: readonly string[], theirs: readonly string[]): boolean {
  if (base.length * theirs.length > MAX_PAIRS) return true;
  const linesWithWords = (lines: readonly string[]): number =>
    lines.filter((line) => /\w/.test(line)).length;
  const common = diffComm([...base], [...theirs]).flatMap((part) => part.common ?? []);
  return (
    linesWithWords(common) < LEAST_SHARE * linesWithWords(base) ||
    (linesWithWords(common) === 0 && linesWithWords(base) > 0)
  );
}

/** Consecutive lines of the merged text; with `ours` where both sides changed them. */
interface Part {
  readonly lines: readonly string[];
  readonly ours?: readonly string[];
}

function mergedParts(region: IRegion<string>): Part[] {
  if (region.stable) return [{ lines: region.bufferContent }];
  const { oContent: base, aContent: theirs, bContent: ours } = region;
  if (areSame(theirs, ours)) return [{ lines: theirs }];
  return besideEachOther(base, theirs, ours) ?? [{ lines: theirs, ours }];
}

/** Separates changes of neighbouring lines: they overlap for the merge, though no line was changed by both. */
function besideEachOther(
  base: readonly string[],
  theirs: readonly string[],
  ours: readonly string[],
): Part[] | undefined {
  if (base.length === 0) return undefined;
  if (base.length === theirs.length && base.length === ours.length) {
    return base.map((line, index) => {
      const [their, our] = [theirs[index] ?? "", ours[index] ?? ""];
      if (their === line || their === our) return { lines: [our] };
      return our === line ? { lines: [their] } : { lines: [their], ours: [our] };
    });
  }
  const added = addedTo(base, ours);
  if (added !== undefined) return [{ lines: [...added.before, ...theirs, ...added.after] }];
  const addedByThem = addedTo(base, theirs);
  return addedByThem && [{ lines: [...addedByThem.before, ...ours, ...addedByThem.after] }];
}

/** The lines before and after those of the base, if a side only added such lines. */
function addedTo(
  base: readonly string[],
  side: readonly string[],
): { before: readonly string[]; after: readonly string[] } | undefined {
  const more = side.length - base.length;
  if (more < 0) return undefined;
  if (areSame(side.slice(0, base.length), base))
    return { before: [], after: side.slice(base.length) };
  return areSame(side.slice(more), base) ? { before: side.slice(0, more), after: [] } : undefined;
}

function areSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index]);
}

/** Joins lines. Those of the user's text keep their ends; a missing final line end stays missing. */
function withLineEnds(lines: readonly string[], text: string): string {
  const usual = lineEndOf(text);
  const ends = [...text.matchAll(/\r?\n/g)].map(([end]) => end);
  const isUniform = ends.every((end) => end === usual);
  const kept = isUniform ? [] : keptEnds(lines, linesOf(text), ends);
  const joined = lines.map((line, index) => line + (kept[index] ?? usual)).join("");
  const isOpen = text !== "" && !text.endsWith("\n");
  return isOpen ? joined.replace(/\r?\n$/, "") : joined;
}

/** For each merged line the end that it has in the user's text; undefined for those that are new. */
function keptEnds(
  merged: readonly string[],
  theirs: readonly string[],
  ends: readonly string[],
): (string | undefined)[] {
  const kept: (string | undefined)[] = [];
  let position = 0;
  for (const { common, buffer1, buffer2 } of diffComm([...theirs], [...merged])) {
    if (common !== undefined) {
      kept.push(...common.map((_, index) => ends[position + index]));
      position += common.length;
    } else {
      kept.push(...buffer2.map(() => undefined));
      position += buffer1.length;
    }
  }
  return kept;
}

function conflictsIn(parts: readonly Part[], merged: string): LineConflict[] {
  const starts = [0, ...[...merged.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const startOf = (line: number): number => starts[line] ?? merged.length;
  const conflicts: LineConflict[] = [];
  let line = 0;
  for (const { lines, ours } of parts) {
    const end = line + lines.length;
    if (ours !== undefined) {
      const at = { start: startOf(line), end: lines.length === 0 ? startOf(line) : startOf(end) };
      conflicts.push({ at, lines: [line + 1, end], ours });
    }
    line = end;
  }
  return conflicts;
}
