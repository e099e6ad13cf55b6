import { test } from "uvu";
import * as assert from "uvu/assert";
import { judgeTestRun, type TestRun } from "./test-results.js";

const green = "• •   (2 / 2)\n\n  Total:     2\n  Passed:    2\n  Skipped:   1\n  Duration:  1ms\n";
const run = (changes: Partial<TestRun>): TestRun => ({
  path: "a.test.ts",
  source: "test.run();",
  output: green,
  exitCode: 0,
  seconds: 0,
  ...changes,
});

test("counts a green run", () => {
  const { passed, failed, skipped, problem } = judgeTestRun(run({}));
  assert.equal([passed, failed, skipped, problem], [2, 0, 1, undefined]);
});

test("fails a file without tests", () => {
  assert.is(judgeTestRun(run({ output: "" })).failed, 1);
  assert.is(judgeTestRun(run({ output: green.replaceAll("2", "0") })).failed, 1);
});

test("fails a file with .only", () => {
  // Written apart, so that this file does not hold the text itself.
  assert.is(judgeTestRun(run({ source: `test${".only"}("x", () => {})` })).failed, 1);
});

test("fails on failed tests, on a bad exit status and on a time-out", () => {
  assert.is(judgeTestRun(run({ output: green.replace("Passed:    2", "Passed:    1") })).failed, 1);
  assert.is(judgeTestRun(run({ exitCode: 1 })).failed, 1);
  assert.is(judgeTestRun(run({ exitCode: null })).failed, 1);
});

test.run();
