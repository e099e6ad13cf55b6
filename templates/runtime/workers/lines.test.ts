import { PassThrough } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../samples/until.js";
import { passLines } from "./lines.js";

test("only whole lines are passed on, and at the end what is left", async () => {
  const stream = new PassThrough();
  const passed: string[] = [];
  passLines(stream, (lines) => void passed.push(lines));
  for (const text of ["a", "b\nc\nd", "e", "\nf"]) {
    stream.write(text);
    await new Promise(setImmediate);
  }
  stream.end();
  await until(() => passed.length === 3);
  assert.equal(passed, ["ab\nc\n", "de\n", "f\n"]);
});

test("a line without an end does not take all memory", async () => {
  const stream = new PassThrough();
  let length = 0;
  passLines(stream, (lines) => (length += lines.length));
  for (let part = 0; part < 20; part++) {
    stream.write("x".repeat(100_000));
    await new Promise(setImmediate);
  }
  assert.ok(length >= 1_000_000);
});

test.run();
