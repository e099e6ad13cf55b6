import { test } from "uvu";
import * as assert from "uvu/assert";
import { judgeTestRun, type TestRun } from "./test-results.js";

const green =
  "skipped: a (it is not here)\n• •   (2 / 2)\n\n  Total:     2\n  Passed:    2\n  Skipped:   1\n  Duration:  1ms\n";
const run = (changes: Partial<TestRun>): TestRun => ({
  path: "a.test.ts",
  source: "test.run();",
  output: green,
  exitCode: 0,
  seconds: 0,
  processorSeconds: 0,
  ...changes,
});

test("a passing run is counted", () => {
  const { passed, failed, skipped, problem } = judgeTestRun(run({}));
  assert.equal([passed, failed, skipped, problem], [2, 0, 1, undefined]);
});

test("a file without tests fails", () => {
  assert.is(judgeTestRun(run({ output: "" })).failed, 1);
  const none = green.replaceAll("2", "0").replace("Skipped:   1", "Skipped:   0");
  assert.is(judgeTestRun(run({ output: none })).failed, 1);
});

test("a file that skips all tests passes if each has a reason", () => {
  const skipped = green.replaceAll("2", "0");
  const { passed, failed, notes } = judgeTestRun(run({ output: skipped }));
  assert.equal([passed, failed, notes], [0, 0, ["skipped: a (it is not here)"]]);
  for (const reason of ["", "skipped: a\n", "skipped: a ()\n"]) {
    const output = skipped.replace(/^skipped: .*\n/, reason);
    assert.is(judgeTestRun(run({ output })).problem, "skipped 1 tests and gave 0 reasons", reason);
  }
});

test("a file with .only fails", () => {
  // Written apart, so that this file does not hold the text itself.
  assert.is(judgeTestRun(run({ source: `test${".only"}("x", () => {})` })).failed, 1);
});

test("failed tests, a bad exit status and a time-out fail the file", () => {
  assert.is(judgeTestRun(run({ output: green.replace("Passed:    2", "Passed:    1") })).failed, 1);
  assert.is(judgeTestRun(run({ exitCode: 1 })).failed, 1);
  assert.is(judgeTestRun(run({ exitCode: null })).failed, 1);
});

test.run();
