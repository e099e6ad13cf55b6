import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../model/json.js";
import { shortAnswer } from "./changing-values.js";

const now = Date.UTC(2026, 10, 29);
const short = (value: JsonValue, given = {}, others: readonly JsonValue[] = []) =>
  shortAnswer(value, { arguments: given, others, now });

const ID = "7d9f7a0e-0f4b-4a6e-9f57-0a1f6a4f7f11";

test("times, ids and durations get matchers, and what the arguments have does not", () => {
  const value = {
    id: ID,
    at: "2026-11-29T12:00:00.123Z",
    createdAt: now,
    tookMs: 12,
    name: "a",
    count: 3,
  };
  const { matches } = short(value);
  assert.equal(Object.keys(matches), ["/id", "/at", "/createdAt", "/tookMs"]);
  for (const pointer of ["/id", "/at"]) {
    const { pattern } = matches[pointer] as { pattern: string };
    assert.ok(new RegExp(pattern, "u").test(pointer === "/id" ? ID : value.at));
    assert.not.ok(new RegExp(pattern, "u").test("other"));
  }
  assert.equal(matches["/tookMs"], { type: "number" });
  assert.equal(Object.keys(short(value, { order: ID }).matches), ["/at", "/createdAt", "/tookMs"]);
});

test("a text with pieces that change gets an expression of the whole text", () => {
  const text = `Order (${ID}) was opened at 2026-11-29 12:00, for $3.`;
  const { pattern } = short(text).matches[""] as { pattern: string };
  assert.ok(new RegExp(pattern, "u").test(text));
  assert.ok(new RegExp(pattern, "u").test(text.replace("12:00", "13:30").replace("7d9f", "aaaa")));
  assert.not.ok(new RegExp(pattern, "u").test(text.replace("$3", "$4")));
  const masked = short("logged in with ******** today").matches[""] as { pattern: string };
  assert.is(masked.pattern, "^logged in with [^]* today$");
});

test("items with the same matchers share one, and long lists and texts are cut", () => {
  const items = [
    { id: ID, n: 1 },
    { id: ID, n: 2 },
  ];
  assert.equal(Object.keys(short({ "a/b": items }).matches), ["/a~1b/*/id"]);
  const long = short({
    list: Array.from({ length: 50 }, (_, n) => ({ n, id: ID })),
    text: "x".repeat(5_000),
  });
  assert.equal(long.matches, { "/list": { type: "array" }, "/text": { type: "string" } });
  assert.is(JSON.stringify(long.value).length < 600, true);
});

test("a value that differs between answers to the same call gets a matcher, whatever it looks like", () => {
  const one = { n: 1, word: "a", list: [1, 2], same: "s", flag: true, object: { a: 1 } };
  const other = { n: 2, word: "b", list: [1], same: "s", flag: null, object: { b: 1 } };
  assert.equal(short(one, {}, [other]).matches, {
    "/n": { type: "number" },
    "/word": { type: "string" },
    "/list": { type: "array" },
    "/flag": { any: true },
    "/object": { type: "object" },
  });
});

test.run();
