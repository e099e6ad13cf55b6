import { test } from "uvu";
import * as assert from "uvu/assert";
import { holdTimers } from "../samples/held-timers.js";
import { countDrops } from "../observe/drop-counts.js";
import { EventQueue } from "./event-queue.js";

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
};

/** A queue whose periods end when the test says so. */
function heldQueue() {
  const usual = holdTimers(50);
  const flood = holdTimers(1_000);
  const handled: string[] = [];
  const drops: number[] = [];
  const queue = new EventQueue((count) => drops.push(count));
  const add = (key: string, name = key): void => queue.add(key, () => handled.push(name));
  const release = (): void => (queue.clear(), flood.release(), usual.release());
  return { usual, flood, handled, drops, queue, add, release };
}

test("equal events of a period are handled once, in the order in which they came last", async () => {
  const { usual, handled, drops, add, release } = heldQueue();
  for (let round = 0; round < 20; round++) for (const key of ["a", "b"]) add(key, key + round);
  add("a", "the last");
  assert.equal(handled, []);
  usual.end();
  await turns(2);
  assert.equal(handled, ["b19", "the last"]);
  usual.end();
  await turns(2);
  assert.equal([handled.length, drops], [2, []]);
  release();
});

test("events are handled once a second during a flood, and sooner after it", async () => {
  const { usual, flood, handled, add, release } = heldQueue();
  for (let count = 0; count < 500; count++) add("a");
  usual.end();
  await turns(2);
  assert.is(handled.length, 1);
  add("a");
  usual.end();
  await turns(2);
  assert.is(handled.length, 1, "the flood may go on");
  flood.end();
  await turns(2);
  assert.is(handled.length, 2);
  add("a");
  usual.end();
  await turns(2);
  assert.is(handled.length, 3, "it is over");
  release();
});

test("a period with too many different events drops and counts them, and the next one handles its own", async () => {
  const { usual, flood, handled, drops, queue, add, release } = heldQueue();
  for (let count = 0; count < 5_000; count++) add(String(count));
  usual.end();
  await turns(2);
  assert.equal([handled, drops], [[], [5_000]]);
  add("a");
  queue.drop();
  flood.end();
  await turns(2);
  assert.equal([handled, drops], [[], [5_000, 2]]);
  add("b");
  queue.handleNow("b");
  queue.handleNow("b");
  assert.equal(handled, ["b"]);
  release();
});

test("long work on events lets others work, and no event is handled after the queue was cleared", async () => {
  const { usual, handled, queue, release } = heldQueue();
  let turnsOfOthers = 0;
  const count = (): void => void ((turnsOfOthers += 1) < 1_000 && setImmediate(count));
  for (let event = 0; event < 30; event++) {
    queue.add(String(event), () => {
      const end = performance.now() + 4;
      while (performance.now() < end);
      if (handled.push("worked") === 20) queue.clear();
    });
  }
  usual.end();
  setImmediate(count);
  while (handled.length < 20) await turns(1);
  assert.ok(turnsOfOthers >= 4, `${turnsOfOthers} turns`);
  await turns(5);
  assert.is(handled.length, 20);
  release();
});

test("drops are logged at once, then in one line per period with their count", () => {
  const timers = holdTimers(10_000);
  const lines: number[] = [];
  const count = countDrops((dropped) => lines.push(dropped));
  for (let drop = 0; drop < 100; drop++) count(10);
  assert.equal(lines, [10]);
  timers.end();
  assert.equal(lines, [10, 990]);
  timers.end();
  timers.end();
  assert.equal(lines, [10, 990]);
  count(1);
  assert.equal(lines, [10, 990, 1]);
  timers.release();
});

test.run();
