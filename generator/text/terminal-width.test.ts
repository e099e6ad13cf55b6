import { test } from "uvu";
import * as assert from "uvu/assert";
import { terminalWidth } from "./terminal-width.js";

const WIDTHS: readonly [text: string, width: number][] = [
  ["", 0],
  ["plain", 5],
  ["Größe", 5],
  ["東京", 4],
  ["さくら", 6],
  ["서울", 4],
  ["ＡＢ", 4],
  ["ｶﾅ", 2],
  ["𠮷", 2],
  ["🎉!", 3],
  ["🇩🇪", 2],
  ["e\u0301", 1],
  ["→ …", 3],
];

test("wide characters have two columns, combining marks none", () => {
  for (const [text, width] of WIDTHS) assert.is(terminalWidth(text), width, text);
});

test.run();
