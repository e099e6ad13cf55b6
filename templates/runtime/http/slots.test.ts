import { test } from "uvu";
import * as assert from "uvu/assert";
import { Slots, type Idleness } from "./slots.js";

/** Makes a function that takes slots, and lists the names of taken and of lost slots. */
function taking(slots: Slots) {
  const ended: string[] = [];
  const taken: string[] = [];
  const take = (holder: string, name: string, isIdle?: boolean): boolean => {
    const end = (): void => void ended.push(name);
    const idleness = (): Idleness => (isIdle === true ? "idle" : "inUse");
    const slot = slots.take({ holder, end, idleness });
    if (slot !== undefined) taken.push(name);
    return slot !== undefined;
  };
  return { ended, taken, take };
}

test("the biggest holder loses a slot to others, not to itself", () => {
  const slots = new Slots(4);
  const { ended, taken, take } = taking(slots);
  for (const name of ["a1", "a2", "a3", "a4"]) assert.ok(take("a", name));
  assert.not(take("a", "a5"));
  assert.ok(take("b", "b1"));
  assert.equal(ended, ["a1"]);
  assert.ok(take("c", "c1"));
  assert.equal(ended, ["a1", "a2"]);
  assert.not(take("d", "d1") && take("d", "d2"), "nobody holds more than it would then");
  assert.is(taken.length - ended.length, 4);
});

test("idle slots are lost first, and a holder replaces its own idle slot", () => {
  const slots = new Slots(3);
  const { ended, take } = taking(slots);
  take("a", "busy");
  take("a", "idle", true);
  take("b", "another's", true);
  assert.ok(take("a", "new"));
  assert.equal(ended, ["idle"]);
  assert.ok(take("c", "c1"));
  assert.equal(ended, ["idle", "busy"]);
});

test("if each holder has one slot, none loses it to another", () => {
  const slots = new Slots(2);
  const { ended, take } = taking(slots);
  take("a", "a1", true);
  take("b", "b1", true);
  assert.not(take("c", "c1"));
  assert.equal(ended, []);
  assert.ok(take("a", "a2"), "but to itself");
  assert.equal(ended, ["a1"]);
});

test("of equally idle slots, the least recently used one is lost", () => {
  const slots = new Slots(2);
  const ended: string[] = [];
  const take = (name: string, idleness: Idleness) =>
    slots.take({ holder: "a", end: () => void ended.push(name), idleness: () => idleness });
  const first = take("first", "idle");
  take("second", "idle");
  first?.use();
  take("unused", "neverUsed");
  assert.equal(ended, ["second"]);
  take("fourth", "idle");
  assert.equal(ended, ["second", "unused"]);
});

test("a released slot can be taken again", () => {
  const slots = new Slots(1);
  const slot = slots.take({ holder: "a", end: () => assert.unreachable() });
  slot?.release();
  slot?.release();
  const ended: string[] = [];
  assert.ok(slots.take({ holder: "b", end: () => void ended.push("b") }));
  assert.not(slots.take({ holder: "c", end: () => void ended.push("c") }), "one slot, not two");
  assert.equal(ended, []);
});

test.run();
