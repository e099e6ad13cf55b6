import { test } from "uvu";
import * as assert from "uvu/assert";
import { terminalWidth } from "../../text/terminal-width.js";
import { codeFrame } from "./code-frame.js";

const paint = (_style: string, text: string): string => text;

/** The frame of one line, with `marked` (its first occurrence) underlined. */
function frame(text: string, marked: string, columns?: number): { shown: string; carets: string } {
  const column = text.indexOf(marked) + 1;
  const range = { file: "", line: 1, column, endLine: 1, endColumn: column + marked.length };
  const style = { paint, ...(columns !== undefined && { columns }) };
  const [shown = "", carets = ""] = codeFrame(range, [text], 0, style);
  return { shown, carets };
}

/** The part of the shown line above the carets, by the columns of a terminal. */
function aboveCarets({ shown, carets }: { shown: string; carets: string }): string {
  const start = carets.indexOf("^");
  const end = carets.lastIndexOf("^") + 1;
  let column = 0;
  let above = "";
  for (const character of shown) {
    const width = terminalWidth(character);
    if (width > 0 && column >= start && column < end) above += character;
    column += width;
  }
  return above;
}

test("carets are under the range, whatever characters are before it", () => {
  for (const before of [
    "",
    "  - name: ",
    "\tx: \t",
    "東京: ",
    "a\u001b[2Jb: ",
    "e\u0301\u0301: ",
    "🎉𠮷",
  ]) {
    assert.is(aboveCarets(frame(`${before}strng # end`, "strng")), "strng", before);
  }
});

test("carets are as wide as the text that they mark", () => {
  assert.is(frame("x: 東京", "東京").carets, "     |    ^^^^");
  assert.is(frame("x: \u0007", "\u0007").carets, "     |    ^^^^^^");
  assert.is(frame("a\tb", "\t").carets, "     |  ^^^^");
  assert.is(frame("abc", "").carets, "     | ^");
});

test("a long line is cut around the range", () => {
  for (const filler of ["x", "東", "\u0000", "\t", "e\u0301", "𠮷"]) {
    const long = filler.repeat(50_000);
    for (const columns of [undefined, 80, 200, 10]) {
      const found = frame(`${long}strng${long}`, "strng", columns);
      const room = Math.max(24, Math.min(160, (columns ?? Infinity) - 7));
      assert.ok(terminalWidth(found.shown) <= 7 + room, `${filler} ${columns}`);
      assert.is(aboveCarets(found), "strng", `${filler} ${columns}`);
      assert.match(found.shown, /…$/);
    }
  }
});

test("of a range that is cut off, the visible part is marked", () => {
  const found = frame(`x: ${"y".repeat(1_000)}`, "y".repeat(1_000));
  assert.is(found.carets.length, found.shown.length - 1);
});

test("a range over several lines is marked to the end of its first line, below the lines before it", () => {
  const range = { file: "", line: 3, column: 4, endLine: 5, endColumn: 2 };
  assert.equal(codeFrame(range, ["a: 1", "", "b: [1,", "  2", "]"], 2, { paint }), [
    "   1 | a: 1",
    "   2 |",
    " → 3 | b: [1,",
    "     |    ^^^",
  ]);
  assert.equal(codeFrame(range, ["a: 1"], 2, { paint }), []);
});

test.run();
