import { test } from "uvu";
import * as assert from "uvu/assert";
import { compareAfter, tryKnownTools } from "./known-tools-rounds.js";

/** Manifests that `npm test` tries; `npm run fuzz:known-tools` tries as many as are asked for. */
const ROUNDS = 1_500;

test(`${ROUNDS} changed manifests mean the same with tools that are known and are not read`, () => {
  let [known, found, both] = [0, 0, 0];
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const round = tryKnownTools(seed);
    if (round.known > 0) known += 1;
    if (round.found > 0) found += 1;
    if (round.known > 0 && round.found > 0) both += 1;
  }
  assert.ok(known > ROUNDS / 5, `${known} had known tools`);
  assert.ok(found > ROUNDS / 4, `in ${found} something was found`);
  assert.ok(both > ROUNDS / 20, `${both} had both`);
});

const tools = (...more: readonly string[]): string =>
  ["name: x", "version: 1.0.0", "tools:", " - name: a", "   description: A.", ...more, ""].join(
    "\n",
  );

const REST = [" - name: b", "   description: B."];

test("a list that a known tool has come to end ends where it did, whatever key follows", () => {
  const before = tools(...REST, " - name: c", "   description: C.", "x-y: 1");
  assert.is(compareAfter(before, tools(...REST, "x-y: 1")).known, 1);
});

test.run();
