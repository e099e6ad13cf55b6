import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import { accepts } from "../../schema/interpret.js";
import { leastSize, sizeOf } from "../schema-rules/least-size.js";
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

test("a tool is reported if every call exceeds a limit, and an example if its call does", () => {
  const asking = { type: "object", properties: { place }, required: ["place"] };
  const deep = "every call is refused: arguments that fit are nested at least 2 levels deep";
  assert.equal(found({ ...tool(asking), limits: { depth: 1 } }), [
    `MW3311 ${deep}, and limits.depth is 1`,
  ]);
  assert.equal(found({ ...tool(asking), limits: { depth: 2 } }), []);
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

test("URIs that exceed the limit are reported, and templates of which every URI does", () => {
  const resources = [{ uri: "x://four" }, { uri: "x://fifth" }];
  const resourceTemplates = [{ uriTemplate: "x://{a}/b" }, { uriTemplate: "x://abc/{a}/b" }];
  assert.equal(found({ resources, resourceTemplates, limits: { uriLength: 8 } }), [
    "MW2313 no client can read this: it has 9 characters, and limits.uriLength is 8",
    "MW2313 no client can read this: it has 10 characters, and limits.uriLength is 8",
  ]);
});

test("the least size of a schema is at most the size of its smallest value", () => {
  const list = (items: JsonObject, minItems: number): JsonObject => ({
    type: "array",
    items,
    minItems,
  });
  const node = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
  const cases: readonly (readonly [JsonObject, JsonValue])[] = [
    [place, { city: "" }],
    [
      list(list({ type: "integer" }, 2), 3),
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ],
    [{ allOf: [place, { type: "object", minProperties: 2 }] }, { city: "", x: 1 }],
    [{ anyOf: [place, { type: "string", minLength: 3 }] }, "abc"],
    [{ enum: [{ a: { b: 1 } }, [[[]]]] }, [[[]]]],
    [{ type: "array", prefixItems: [place], minItems: 2 }, [{ city: "" }, 1]],
    [{ $ref: "#/$defs/a", $defs: { a: place } }, { city: "" }],
    [{ type: ["object", "null"], required: ["a"] }, null],
  ];
  for (const [schema, value] of cases) {
    const what = JSON.stringify(schema);
    assert.ok(accepts(schema, value), what);
    const [least, size] = [leastSize(schema, () => undefined), sizeOf(value)];
    assert.ok(least.depth <= size.depth && least.elements <= size.elements, what);
    assert.ok(least.bytes <= size.bytes, what);
  }
  assert.equal(
    leastSize(cases[1]![0], () => undefined),
    sizeOf(cases[1]![1]),
  );
  assert.ok(leastSize(node, () => undefined).depth > 50, "of what never ends");
});

test("an `enum` may be as long as a manifest allows", () => {
  const names = Array.from({ length: 150_000 }, (_, index) => `n${index}`);
  assert.equal(
    leastSize({ enum: names }, () => undefined),
    sizeOf("n0"),
  );
  const asking = { type: "object", required: names };
  assert.is(leastSize(asking, () => undefined).elements, names.length);
});

test.run();
