import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { normalize } from "../3-normalize/normalize.js";
import { validManifest } from "../model/loaded-manifest.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { validateManifest } from "./validate.js";

/** More than a call can have arguments, with the stack that Node.js has: code that spreads such a list into a call throws. */
const MANY = shortOrLong(130_000, 200_000);

const repeat = (piece: string): string => Array.from({ length: MANY }, () => piece).join(",");

/** The codes of the errors in a manifest with one tool. A manifest without errors is normalized too. */
function errorsOf(fields: string): string[] {
  const text = `name: demo\nversion: 1.0.0\ntools: [{name: a, description: x, ${fields}}]\n`;
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.equal(diagnostics, []);
  if (manifest === undefined) return [];
  const found = validateManifest(manifest);
  const errors = found.filter(({ severity }) => severity === "error");
  if (errors.length === 0) normalize(validManifest(manifest.value));
  return [...new Set(errors.map(({ code }) => code))];
}

const LISTS: readonly [what: string, fields: string, ...codes: string[]][] = [
  ["schemas", `inputSchema: {type: object, allOf: [${repeat("{}")}]}`, "MW3040"],
  ["texts", `_meta: {a: [${repeat("a")}]}`],
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

test("JavaScript refuses a call with as many arguments as the lists of this file have items", () => {
  const many = Array.from({ length: MANY }, () => 0);
  assert.throws(() => Math.max(...many), RangeError);
});

for (const [what, fields, ...codes] of LISTS) {
  test(`${MANY} ${what} are checked without an exception`, () => {
    assert.equal(errorsOf(fields), codes);
  });
}

test.run();
