import { test } from "uvu";
import * as assert from "uvu/assert";
import { validationMessage } from "./validation-message.js";

const pattern = { keyword: "pattern", message: 'must match pattern "^x$"' };
const format = { keyword: "format", message: 'must match format "date"' };

test("what two keywords say in the same words is said once", () => {
  // draft-07 of a tuple: `items: [{}, {}], additionalItems: false, maxItems: 2`
  const message = "must NOT have more than 2 items";
  const issues = ["additionalItems", "maxItems"].map((keyword) => ({
    instancePath: "/size",
    keyword,
    message,
  }));
  assert.is(validationMessage(issues), `size: ${message}`);
});

test("the pattern of a text that breaks its format is not said", () => {
  const at = (instancePath: string, issue: typeof pattern) => ({ instancePath, ...issue });
  const issues = [at("/from", format), at("/from", pattern), at("/to", pattern)];
  const said = 'from: must match format "date"; to: must match pattern "^x$"';
  assert.is(validationMessage(issues), said);
  assert.is(validationMessage([...issues].reverse()), said.split("; ").reverse().join("; "));
});

test("the first problems are named, and others counted", () => {
  const issues = Array.from({ length: 12 }, (_, index) => ({
    instancePath: `/${index}`,
    message: "is wrong",
  }));
  assert.match(validationMessage(issues), /^0: is wrong; .*; and \d+ more$/);
  assert.is(validationMessage(null), "");
});

test.run();
