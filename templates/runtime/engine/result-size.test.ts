import { test } from "uvu";
import * as assert from "uvu/assert";
import { result } from "../tools/result.js";
import { resultSize } from "./result-size.js";

test("the texts and bytes of a result are counted, wherever they are", () => {
  assert.is(resultSize("four"), 4);
  assert.is(resultSize("für"), 4);
  assert.is(resultSize(["four", { blob: new Uint8Array(3) }]), 7);
  assert.is(resultSize({ rows: [{ name: "four" }, { name: "four" }] }), 8);
  assert.is(resultSize(result({ content: "x".repeat(1_000) })), 1_000);
});

test("the size of a result that is nested deeply, contains itself or has very many values is estimated", () => {
  let deep: unknown[] = [];
  for (let depth = 0; depth < 50_000; depth++) deep = [deep];
  assert.is(resultSize(deep), 0);
  const own: { text: string; self?: unknown } = { text: "four" };
  own.self = own;
  assert.ok(resultSize(own) >= 4);
  assert.ok(resultSize(Array.from({ length: 300_000 }, () => 1)) >= 500_000);
});

test.run();
