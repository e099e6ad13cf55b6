import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { checkLimits } from "./limits.js";

function found(manifest: object): string[] {
  const text = JSON.stringify({ name: "demo", version: "1.0.0", ...manifest });
  const { manifest: loaded } = loadManifest("mcp.yaml", Buffer.from(text));
  return checkLimits(loaded!).map(({ code, message }) => `${code} ${message}`);
}

const place = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tool = (inputSchema: object, ...examples: object[]): object => ({
  tools: [{ name: "a", description: "x", inputSchema, examples }],
});

test("an example is reported if its call exceeds a limit", () => {
  const open = { type: "object", properties: { place } };
  const example = { name: "e", arguments: { place: { city: "Bonn" } }, text: "Sunny" };
  assert.equal(found({ ...tool(open, example), limits: { depth: 1, elements: 1 } }), [
    "MW3312 the server refuses these arguments: they are nested 2 levels deep, and limits.depth is 1",
  ]);
  assert.equal(found({ ...tool(open, example), limits: { bodyBytes: 10 } }), [
    "MW3312 the server refuses these arguments: they take 25 bytes of JSON, and limits.bodyBytes is 10",
  ]);
  assert.equal(found(tool(open, example)), []);
});

test("a variable that sets a limit must be declared as a number within the limit's bounds", () => {
  const byRate = (RATE: unknown, limit = "ratePerSecond"): string[] =>
    found({ env: { RATE }, limits: { [limit]: { env: "RATE" } } });
  assert.equal(byRate({ type: "number" }), []);
  assert.equal(byRate({ type: "number", default: 0.5 }), []);
  assert.equal(byRate({ type: "number", enum: [10, 20] }), []);
  const start = "MW2072 RATE sets limits";
  assert.equal(byRate(null), [
    `${start}.ratePerSecond, which must be a number, but its type is "string"`,
  ]);
  assert.equal(byRate({ type: "url" }), [
    `${start}.ratePerSecond, which must be a number, but its type is "url"`,
  ]);
  assert.equal(byRate({ type: "number", default: 0 }), [
    `${start}.ratePerSecond, which must be a number above 0 and at most 1000000, but it may be 0`,
  ]);
  assert.equal(byRate({ type: "number", default: 0.5 }, "depth"), [
    `${start}.depth, which must be a whole number from 1 to 512, but it may be 0.5`,
  ]);
  assert.equal(byRate({ type: "number", enum: [5, 1_000] }, "depth"), [
    `${start}.depth, which must be a whole number from 1 to 512, but it may be 1000`,
  ]);
  assert.equal(found({ env: { RATES: { type: "number" } }, limits: { depth: { env: "RATE" } } }), [
    "MW2080 env declares no variable RATE; did you mean RATES?",
  ]);
});

test.run();
