import { setImmediate } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { keptMemory } from "../samples/kept-memory.js";
import { WaitGroup, WaitList } from "./wait-group.js";

/** Adds two items to a group, and returns functions that remove them. */
const groups = {
  "a group of ids": () => {
    const group = new WaitGroup<string>();
    group.add("a");
    group.add("b");
    return { group, remove: ["a", "b"].map((id) => () => group.delete(id)) };
  },
  "a list of objects": () => {
    const group = new WaitList<object>();
    return { group, remove: [group.add({}), group.add({})] };
  },
};

for (const [which, make] of Object.entries(groups)) {
  test(`waiting for ${which} ends when no item is pending`, async () => {
    const { group, remove } = make();
    let isDone = false;
    void group.doneWithin(60_000).then(() => (isDone = true));
    for (const [index, one] of remove.entries()) {
      await setImmediate();
      assert.is(isDone, false, `before item ${index} is done`);
      one();
    }
    await setImmediate();
    assert.is(isDone, true);
    assert.is(group.size, 0);
    await group.doneWithin(60_000);
  });
}

test("waiting ends when its time is over", async () => {
  const group = new WaitGroup<string>();
  group.add("a");
  await group.doneWithin(1);
  assert.is(group.size, 1);
});

test("an id is pending once", () => {
  const group = new WaitGroup<string>();
  for (const id of ["a", "b", "a"]) group.add(id);
  assert.equal([...group], ["a", "b"]);
  group.delete("a");
  assert.equal([...group], ["b"]);
});

test("objects are removed in any order, each of them once", () => {
  const list = new WaitList<{ readonly name: string }>();
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => list.add({ name }));
  const names = (): string[] => [...list].map(({ name }) => name).sort();
  b?.();
  b?.();
  assert.equal(names(), ["a", "c", "d"]);
  d?.();
  assert.equal(names(), ["a", "c"]);
  c?.();
  a?.();
  assert.equal(names(), []);
});

test("an iteration passes through objects that are removed meanwhile", () => {
  const list = new WaitList<object>();
  const objects = [{}, {}, {}];
  const removals = objects.map((one) => list.add(one));
  const passed: object[] = [];
  for (const one of list) {
    for (const remove of removals) remove();
    passed.push(one);
  }
  assert.equal(passed.length, 3);
  assert.is(list.size, 0);
});

test("objects that come and go are collected with the young objects", () => {
  const list = new WaitList<object>();
  const removals: (() => void)[] = [];
  const kept = keptMemory((id) => {
    removals.push(list.add({ numbers: Array<number>(500).fill(id) }));
    if (removals.length > 4) removals.shift()?.();
  });
  assert.ok(kept < 200, `${kept} bytes an object are kept, of about 4,000`);
});

test.run();
