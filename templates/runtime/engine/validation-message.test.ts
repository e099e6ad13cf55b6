import { test } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { isPatternOfFormat } from "./patterns-of-formats.js";
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

test("the pattern of a text that breaks its format is not said if it says the same", () => {
  const { pattern: source } = z.toJSONSchema(z.iso.date());
  const own = { keyword: "pattern", message: `must match pattern "${source}"` };
  const at = (instancePath: string, issue: typeof pattern) => ({ instancePath, ...issue });
  const issues = [at("/from", format), at("/from", own), at("/to", pattern), at("/to", format)];
  const said =
    'from: must match format "date"; to: must match pattern "^x$"; to: must match format "date"';
  assert.is(validationMessage(issues), said);
  assert.is(validationMessage([...issues].reverse()), said.split("; ").reverse().join("; "));
});

test("what zod writes beside a format says no more than it, except for narrower ones", () => {
  const { iso } = z;
  const same = [z.email(), z.uuid(), z.guid(), z.ipv4(), z.ipv6(), z.hostname(), iso.duration()];
  for (const one of [...same, iso.date(), iso.datetime(), iso.datetime({ offset: true })]) {
    const { pattern: source = "", format: name = "" } = z.toJSONSchema(one);
    assert.ok(isPatternOfFormat(source, name), name);
  }
  for (const one of [z.uuidv4(), iso.datetime({ precision: 3 }), z.email().regex(/a/)]) {
    const { pattern: source = "", format: name = "" } = z.toJSONSchema(one);
    assert.not.ok(isPatternOfFormat(source, name), source);
  }
});

test("the first problems are named, and others counted", () => {
  const issues = Array.from({ length: 12 }, (_, index) => ({
    instancePath: `/${index}`,
    message: "is wrong",
  }));
  assert.match(validationMessage(issues), /^0: is wrong; .*; and 4 more$/);
  const repeated = [...issues.slice(0, 10), ...issues.slice(0, 5)];
  assert.match(validationMessage(repeated), /; and 2 more$/);
  assert.is(validationMessage(null), "");
});

test.run();
