import { test } from "uvu";
import * as assert from "uvu/assert";
import { cachedImport } from "./awaitable.js";
import { imported } from "../asking/imported.js";

test("a value is imported at its first use, and later calls return it without a promise", async () => {
  let count = 0;
  const late = cachedImport(async () => (count += 1));
  assert.is(count, 0);
  assert.is(await late(), 1);
  assert.is(late(), 1);
  assert.is(imported(late), 1);
});

test("a value that is not imported yet cannot be had synchronously", () => {
  const late = cachedImport(async () => "value");
  assert.throws(() => imported(late), "before it was imported");
});

test("an import that failed is tried again", async () => {
  let isBroken = true;
  const late = cachedImport(async () => {
    if (isBroken) throw new Error("broken");
    return "value";
  });
  assert.match(String(await Promise.resolve(late()).catch(String)), "broken");
  isBroken = false;
  assert.is(await late(), "value");
});

test.run();
