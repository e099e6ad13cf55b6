import type { Place } from "../../model/place.js";
import { printable } from "../../text/printable.js";
import { terminalWidth } from "../../text/terminal-width.js";
import type { Paint } from "../terminal.js";

/*
 * There are packages for code frames, but they do not expect untrusted texts: they print control characters to the
 * terminal, wide letters shift the underline, and a manifest on one line fills the screen.
 */

/** The most columns of a line. Longer lines are cut around the problem, so that a one-line manifest stays readable. */
const widestText = 160;
/** The fewest columns of a line. In a narrower terminal, lines wrap. */
const narrowestText = 24;
/** Columns before a line's text, without the digits of its number. */
const gutter = 6;
/** Replaces the parts that are cut from a line. One column wide. */
const ellipsis = "…";
/** Replaces a tab. */
const tab = "    ";

/** The style of a code frame. */
export interface FrameStyle {
  readonly paint: Paint;
  /** Columns of the terminal. Absent if there is no terminal. */
  readonly columns?: number;
}

/**
 * The lines around a range, with the range underlined. Empty if the text of the file is not known.
 *
 * @param before number of lines to show before the range
 */
export function codeFrame(
  range: Place,
  lines: readonly string[],
  before: number,
  { paint, columns = Infinity }: FrameStyle,
): string[] {
  const text = lines[range.line - 1];
  if (text === undefined) return [];
  const digits = String(range.line).length;
  const room = Math.max(narrowestText, Math.min(widestText, columns - gutter - digits));
  const frame: string[] = [];
  for (let line = Math.max(1, range.line - before); line < range.line; line++) {
    const shown = visiblePart(lines[line - 1] ?? "", 0, room).shown;
    frame.push(paint("dim", `   ${String(line).padStart(digits)} | ${shown}`.trimEnd()));
  }
  const { shown, marker } = underlined(text, range, room);
  frame.push(` ${paint("red", "→")} ${String(range.line).padStart(digits)} | ${shown}`.trimEnd());
  frame.push(`   ${" ".repeat(digits)} | ${paint("red", marker)}`);
  return frame;
}

/** The visible part of a line, and a line of carets under the range. */
function underlined(text: string, range: Place, room: number): { shown: string; marker: string } {
  const from = range.column - 1;
  const to = range.endLine > range.line ? text.length : range.endColumn - 1;
  const { start, end, shown } = visiblePart(text, from, room);
  const opening = start > 0 ? ellipsis : "";
  const lead = terminalWidth(opening + display(text.slice(start, from)));
  const marked = terminalWidth(display(text.slice(from, Math.min(to, end))));
  return { shown, marker: " ".repeat(lead) + "^".repeat(Math.max(1, marked)) };
}

/** The part of a line around the index `focus`, at most `room` columns wide. */
function visiblePart(
  text: string,
  focus: number,
  room: number,
): { start: number; end: number; shown: string } {
  if (indexAfter(text, 0, room) === text.length) {
    return { start: 0, end: text.length, shown: display(text) };
  }
  const inside = room - 2 * ellipsis.length;
  const isNearStart = indexBefore(text, focus, (inside * 3) / 4) === 0;
  const start = isNearStart ? 0 : indexBefore(text, focus, inside / 4);
  const end = indexAfter(text, start, inside);
  const opening = start > 0 ? ellipsis : "";
  const closing = end < text.length ? ellipsis : "";
  return { start, end, shown: opening + display(text.slice(start, end)) + closing };
}

/** Text as it is printed, without characters that move the cursor or are invisible. */
function display(text: string): string {
  return printable(text.replaceAll("\t", tab));
}

/** The index after the last character that fits into the columns to the right of an index. */
function indexAfter(text: string, index: number, columns: number): number {
  let end = index;
  let width = 0;
  for (const character of text.slice(index, index + longestFor(columns))) {
    width += terminalWidth(display(character));
    if (width > columns) break;
    end += character.length;
  }
  return end;
}

/** The index of the first character that fits into the columns to the left of an index. */
function indexBefore(text: string, index: number, columns: number): number {
  let start = index;
  let width = 0;
  const before = text.slice(Math.max(0, index - longestFor(columns)), index);
  for (const character of [...before].reverse()) {
    width += terminalWidth(display(character));
    if (width > columns) break;
    start -= character.length;
  }
  return start;
}

/** The number of UTF-16 units to look at. They fill the columns, unless most characters have no width. */
function longestFor(columns: number): number {
  return Math.ceil(columns) * 4;
}
