import { test } from "uvu";
import * as assert from "uvu/assert";
import { SmallStack } from "../testing/harness/oracles/small-stack.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";

/**
 * More than a call can have arguments, with the stack that manifests are read with here: code that spreads such a list into
 * a call throws. In the long form it is the stack of Node.js.
 */
const MANY = shortOrLong(30_000, 200_000);
const stack = new SmallStack(shortOrLong(0.3, 1));
test.after(stack.end);

const repeat = (piece: string): string => Array.from({ length: MANY }, () => piece).join(",");

/** What is said of so many schemas: only those of the long form are more than a manifest may have. */
const MANY_SCHEMAS = shortOrLong<readonly string[]>([], ["MW3040"]);

const LISTS: readonly [what: string, fields: string, ...codes: string[]][] = [
  ["schemas", `inputSchema: {type: object, allOf: [${repeat("{}")}]}`, ...MANY_SCHEMAS],
  ["texts", `_meta: {a: [${repeat("a")}]}`],
  ["texts with a warning", `_meta: {a: [${repeat('"\u200b"')}]}`],
  [
    "values of enum",
    `inputSchema: {type: object, properties: {a: {enum: [${repeat("1")}]}}}`,
    "MW3022",
  ],
  ["required names", `inputSchema: {type: object, required: [${repeat("a")}]}`, "MW3022"],
  [
    "items of a default",
    `inputSchema: {type: object, properties: {a: {type: array, items: {type: string}, default: [${repeat("1")}]}}}`,
    "MW3026",
  ],
  [
    "choices of a form",
    `elicitations: {a: {message: m, requestedSchema: {type: object, properties: {b: {type: string, oneOf: [${repeat("a")}]}}}}}`,
    "MW3074",
  ],
];

test("JavaScript refuses a call with as many arguments as the lists of this file have items", async () => {
  assert.equal(await stack.exceptionsOfCallWith(MANY), ["RangeError"]);
});

for (const [what, fields, ...codes] of LISTS) {
  test(`${MANY} ${what} are checked without an exception`, async () => {
    const tools = `tools: [{name: a, description: x, ${fields}}]`;
    assert.equal(await stack.errorsOf(`name: demo\nversion: 1.0.0\n${tools}\n`), codes);
  });
}

test.run();
