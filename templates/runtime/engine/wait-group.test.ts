import { test } from "uvu";
import * as assert from "uvu/assert";
import { keptMemory } from "../samples/kept-memory.js";
import { WaitGroup } from "./wait-group.js";

test("an item is pending once, and waiting ends when none is", async () => {
  const group = new WaitGroup<string>();
  for (const item of ["a", "b", "a", "c"]) group.add(item);
  assert.equal([...group], ["a", "b", "c"]);
  group.delete("unknown");
  group.delete("a");
  assert.equal([...group].sort(), ["b", "c"]);
  const done = group.doneWithin(60_000);
  group.delete("b");
  group.delete("c");
  await done;
  assert.is(group.size, 0);
});

test("an iteration passes through items that are removed meanwhile", () => {
  const group = new WaitGroup<number>();
  for (const item of [1, 2, 3]) group.add(item);
  const passed: number[] = [];
  for (const item of group) {
    passed.push(item);
    group.delete(item);
  }
  assert.equal(passed, [1, 2, 3]);
  assert.is(group.size, 0);
});

test("items of a busy group are collected with the young objects", () => {
  const group = new WaitGroup<object>();
  const pending: object[] = [];
  const kept = keptMemory((id) => {
    const item = { numbers: Array<number>(500).fill(id) };
    group.add(item);
    pending.push(item);
    const done = pending.length > 4 ? pending.shift() : undefined;
    if (done !== undefined) group.delete(done);
  });
  assert.ok(kept < 200, `${kept} bytes an item`);
});

test.run();
