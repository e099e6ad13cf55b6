import { test } from "uvu";
import * as assert from "uvu/assert";
import { holdsMoreThan } from "./json-size.js";

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const items = (count: number): unknown[] => Array.from({ length: count }, () => 1);

test("items and members are counted, and commas in strings are not", () => {
  assert.not(holdsMoreThan(json(items(1_000)), 1_000));
  assert.ok(holdsMoreThan(json(items(1_100)), 1_000));
  assert.ok(holdsMoreThan(json({ a: items(600), b: items(600) }), 1_000));
  assert.ok(
    holdsMoreThan(json(Object.fromEntries(items(1_100).map((_, key) => [`k${key}`, key]))), 1_000),
  );
  assert.not(holdsMoreThan(json(",".repeat(100_000)), 1_000));
  assert.not(holdsMoreThan(json([`\\",${",".repeat(5_000)}`, '"', ',\\\\",,']), 1_000));
  assert.ok(holdsMoreThan(json(["\\\\", ...items(1_100), '"']), 1_000), "an escaped escape");
});

test("a text that is not JSON is left to the parser", () => {
  for (const text of ['"', '"\\', "\\", '{"a":"', "[".repeat(5_000)]) {
    assert.not(holdsMoreThan(Buffer.from(text.padStart(5_000, " ")), 1_000), text);
  }
});

test.run();
