import { test } from "uvu";
import * as assert from "uvu/assert";
import { Lines } from "./lines.js";

function cut(chunks: readonly (string | Buffer)[]): [text: string, isWhole: boolean][] {
  const taken: [string, boolean][] = [];
  const lines = new Lines((bytes, isWhole) => taken.push([bytes.toString(), isWhole]));
  for (const chunk of chunks) lines.add(Buffer.from(chunk));
  return taken;
}

test("lines are whole, however their bytes come", () => {
  const text = "one\n\ntwo é\r\nthree\n";
  const expected = ["one\n", "\n", "two é\r\n", "three\n"].map((line) => [line, true]);
  const bytes = Buffer.from(text);
  assert.equal(cut([bytes]), expected);
  assert.equal(cut([...bytes].map((byte) => Buffer.from([byte]))), expected);
  for (let place = 0; place <= bytes.length; place++) {
    assert.equal(cut([bytes.subarray(0, place), bytes.subarray(place)]), expected);
  }
});

test("a line without its end is kept back", () => {
  assert.equal(cut(["one\ntw"]), [["one\n", true]]);
});

test("a very long line goes on in pieces, none of which is whole, and the next one is whole again", () => {
  const megabyte = "x".repeat(2 ** 20);
  const taken = cut(["a", megabyte, megabyte, "b", "c\nnext\n"]);
  assert.equal(
    taken.map(([text, isWhole]) => [text.length, isWhole]),
    [
      [2 ** 20 + 1, false],
      [2 ** 20, false],
      [1, false],
      [2, false],
      [5, true],
    ],
  );
});

test.run();
