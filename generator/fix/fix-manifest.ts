import type { Diagnostic, TextEdit } from "../model/diagnostic.js";
import { applySplices, type Splice } from "../text/splice.js";
import { withFixes } from "./edits.js";

/** At most so often, the manifest is validated and edited. */
const MOST_PASSES = 5;

/** A manifest after its certain mistakes were mended. */
export interface FixedManifest {
  readonly text: string;
  /** What was mended, in the order in which it was. Places are those of the text before that pass. */
  readonly fixed: readonly Diagnostic[];
}

/**
 * Applies the fixes of one file of a manifest, and those of what they bring to light, until nothing changes. A fix that would make
 * another error is not applied.
 *
 * @param file the manifest, or a file that it includes, as diagnostics name it
 * @param validate all problems of the manifest with a text of this file
 */
export async function fixManifest(
  file: string,
  text: string,
  validate: (text: string) => Promise<readonly Diagnostic[]>,
): Promise<FixedManifest> {
  let current: State = { text, diagnostics: await validate(text) };
  const fixed: Diagnostic[] = [];
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const fixable = withFixes(new Map([[file, current.text]]), current.diagnostics).filter(
      (one) => one.fix !== undefined && one.file === file,
    );
    const applied = await applySafely(current, withoutOverlaps(current.text, fixable), validate);
    if (applied.fixed.length === 0) break;
    fixed.push(...applied.fixed);
    current = applied.state;
  }
  return { text: current.text, fixed };
}

interface State {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

interface Applied {
  readonly state: State;
  readonly fixed: readonly Diagnostic[];
}

/** Applies fixes, all at once, or where that makes a new error, those of each half that do not. */
async function applySafely(
  state: State,
  fixable: readonly Diagnostic[],
  validate: (text: string) => Promise<readonly Diagnostic[]>,
): Promise<Applied> {
  if (fixable.length === 0) return { state, fixed: [] };
  const splices = splicesOf(state.text, fixable);
  const text = applySplices(state.text, splices);
  const diagnostics = await validate(text);
  const isMended = areGone(fixable, { state, splices, text, diagnostics });
  if (isMended && isSafe(state.diagnostics, diagnostics))
    return { state: { text, diagnostics }, fixed: fixable };
  if (fixable.length === 1) return { state, fixed: [] };
  // From the end of the text, so that the places of the others stay.
  const middle = fixable.length >> 1;
  const later = await applySafely(state, fixable.slice(middle), validate);
  const earlier = await applySafely(later.state, fixable.slice(0, middle), validate);
  return { state: earlier.state, fixed: [...earlier.fixed, ...later.fixed] };
}

/** A text after an attempt, and what it came from. */
interface Attempt extends State {
  readonly state: State;
  readonly splices: readonly Splice[];
}

/** True if findings are no longer reported at the places that they now have. */
function areGone(
  found: readonly Diagnostic[],
  { state, splices, text, diagnostics }: Attempt,
): boolean {
  const [before, after] = [offsetsOf(state.text), offsetsOf(text)];
  const key = ({ file, code, message }: Diagnostic, offset: number) =>
    `${file} ${offset} ${code} ${message}`;
  const left = new Set(diagnostics.map((one) => key(one, after(one.line, one.column))));
  const moves = [...splices].sort((one, other) => one.end - other.end);
  const starts = found.map((one) => ({ one, start: before(one.line, one.column) }));
  let [next, moved] = [0, 0];
  return starts
    .sort((one, other) => one.start - other.start)
    .every(({ one, start }) => {
      for (let move = moves[next]; move !== undefined && move.end <= start; move = moves[++next])
        moved += move.text.length - (move.end - move.start);
      return !left.has(key(one, start + moved));
    });
}

/** Codes of what two parts of a manifest cannot both have, such as a name. */
const COLLISIONS = /^MW(?:1014|200[456]|201[345]|2023|205[04])$/;

/** True if a text is YAML where it was before, and no two parts collide that did not. Other errors come to light. */
function isSafe(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  if (before.some(isOfLoading)) return count(after, isOfLoading) <= count(before, isOfLoading);
  return !after.some(isOfLoading) && !after.some(({ code }) => collidesMore(code, before, after));
}

function collidesMore(
  code: string,
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): boolean {
  const isSame = (one: Diagnostic): boolean => one.code === code;
  return COLLISIONS.test(code) && count(after, isSame) > count(before, isSame);
}

const isError = ({ severity }: Diagnostic): boolean => severity === "error";
const isOfLoading = (diagnostic: Diagnostic): boolean =>
  isError(diagnostic) && diagnostic.code.startsWith("MW10");

function count(diagnostics: readonly Diagnostic[], fits: (one: Diagnostic) => boolean): number {
  return diagnostics.filter(fits).length;
}

/** The fixes that do not touch one before them. The others have their turn in the next pass. */
function withoutOverlaps(text: string, fixable: readonly Diagnostic[]): Diagnostic[] {
  const offset = offsetsOf(text);
  let lastEnd = -1;
  return fixable
    .map((diagnostic) => ({ diagnostic, splices: splicesOf(text, [diagnostic], offset) }))
    .sort((one, other) => startOf(one.splices) - startOf(other.splices))
    .flatMap(({ diagnostic, splices }) => {
      if (startOf(splices) <= lastEnd) return [];
      lastEnd = Math.max(...splices.map(({ end }) => end));
      return [diagnostic];
    });
}

const startOf = (splices: readonly Splice[]): number =>
  Math.min(...splices.map(({ start }) => start));

function splicesOf(
  text: string,
  fixable: readonly Diagnostic[],
  offset: Offsets = offsetsOf(text),
): Splice[] {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const splice = ({ newText, ...place }: TextEdit): Splice => ({
    start: offset(place.line, place.column),
    end: offset(place.endLine, place.endColumn),
    text: newText.replaceAll("\n", lineEnd),
  });
  return fixable.flatMap(({ fix }) => (fix?.edits ?? []).map(splice));
}

/** The offset of a line and a column. */
type Offsets = (line: number, column: number) => number;

function offsetsOf(text: string): Offsets {
  const starts = lineStartsOf(text);
  return (line, column) => (starts[line - 1] ?? text.length) + column - 1;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
