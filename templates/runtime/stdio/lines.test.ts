import { test } from "uvu";
import * as assert from "uvu/assert";
import { Lines } from "./lines.js";

/** Returns the accepted lines as text, and the members in the outlines of the skipped lines. */
function cut(chunks: readonly (string | Buffer)[], longest = 1_000): unknown[] {
  const taken: unknown[] = [];
  const lines = new Lines(longest, {
    take: (line) => taken.push(line.toString()),
    skip: (outline) => taken.push(outline.topLevelMembers()),
  });
  for (const chunk of chunks) lines.add(Buffer.from(chunk));
  return taken;
}

/** Makes a message of this length in bytes. */
function message(length: number): string {
  const [start, end] = [`{"params":["`, `"],"id":1}`];
  return `${start}${"x".repeat(length - start.length - end.length)}${end}`;
}

test("lines are the same, no matter how their bytes are split into chunks", () => {
  const text = "one\n\ntwo é\r\nthree\n";
  const expected = ["one\n", "\n", "two é\r\n", "three\n"];
  const bytes = Buffer.from(text);
  assert.equal(cut([bytes]), expected);
  assert.equal(cut([...bytes].map((byte) => Buffer.from([byte]))), expected);
  for (let split = 0; split <= bytes.length; split++) {
    assert.equal(cut([bytes.subarray(0, split), bytes.subarray(split)]), expected);
  }
});

test("a line without its end is kept back", () => {
  assert.equal(cut(["one\ntw"]), ["one\n"]);
});

test("a line that is too long is skipped to its end, and the next one is taken", () => {
  const skipped = { params: 0, id: 1 };
  for (const longest of [100, 3 * 2 ** 20]) {
    const chunkLength = Math.ceil(longest / 7);
    for (const [length, expected] of [
      [longest - 1, `${message(longest - 1)}\n`],
      [longest, `${message(longest)}\n`],
      [longest + 1, skipped],
      [2 * longest, skipped],
    ] as const) {
      const text = `${message(length)}\nnext\n`;
      const chunks = Array.from({ length: Math.ceil(text.length / chunkLength) }, (_, index) =>
        text.slice(index * chunkLength, (index + 1) * chunkLength),
      );
      assert.equal(cut([text], longest), [expected, "next\n"], `${length} at once`);
      assert.equal(cut(chunks, longest), [expected, "next\n"], `${length} in chunks`);
    }
  }
});

test("a line that is too long is not reported before it ends", () => {
  assert.equal(cut([message(1_001)]), []);
});

test.run();
