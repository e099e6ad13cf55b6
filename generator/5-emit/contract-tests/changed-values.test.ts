import { test } from "uvu";
import * as assert from "uvu/assert";
import { withWholeValues } from "../../../templates/runtime/suite/changed-values.js";
import type { ToolContract } from "../../../templates/runtime/suite/contract.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import { randomNumbers, type RandomNumbers } from "../../testing/harness/runner/random-numbers.js";
import { writtenTool } from "./changed-values.js";

const definition: JsonObject = {
  name: "tool",
  inputSchema: { type: "object", properties: { e: { type: "string", enum: ["a"] } } },
};
const valid = { a: 1, "b/c": { "~d": ["x", "y"] }, e: "text" };

function contract(refused: readonly JsonValue[], outputs: readonly JsonValue[] = []): ToolContract {
  return {
    name: "tool",
    accepted: [{ arguments: { ...valid, more: true } }, { arguments: valid }],
    refused: refused.map((value) => ({ value, says: "wrong" })),
    output: { accepted: [valid, ...outputs], refused: [] },
    examples: [],
  };
}

function written(refused: JsonValue): JsonObject {
  const { refused: values } = writtenTool(contract([refused]), definition) as {
    refused: JsonObject;
  };
  const [{ says: _says, ...change }] = values["changes"] as [JsonObject];
  return change;
}

test("a value that breaks a schema is written as its difference from a valid value", () => {
  assert.equal(written({ ...valid, a: "1" }), { becomes: { "/a": "1" } });
  assert.equal(written({ ...valid, f: null }), { becomes: { "/f": null } });
  assert.equal(written({ a: 1, "b/c": valid["b/c"] }), { without: ["/e"] });
  assert.equal(written({ ...valid, a: 2, "b/c": { "~d": ["x", 2] } }), {
    becomes: { "/a": 2, "/b~1c/~0d/1": 2 },
  });
  assert.equal(written({ ...valid, "b/c": { "~d": ["x"] } }), {
    becomes: { "/b~1c/~0d": ["x"] },
  });
  assert.equal(written({ e: 2 }), { becomes: { "": { e: 2 } } });
  assert.equal(written({ ...valid, e: `t${"a".repeat(256)}` }), {
    ...{ becomes: { "/e": "ta" }, continued: { "/e": 257 } },
  });
  assert.equal(written({ ...valid, e: Array<string>(101).fill("") }), {
    ...{ becomes: { "/e": [""] }, continued: { "/e": 101 } },
  });
});

test("values of one part for which the same result is expected are one entry", () => {
  const tool = contract([1, null].map((e) => ({ ...valid, e })));
  const { refused } = writtenTool(tool, definition) as { refused: JsonObject };
  assert.equal(refused["changes"], [{ at: "/e", values: [1, null], says: "wrong" }]);
  const others = tool.refused.map((one, index) => ({ ...one, says: `wrong ${index}` }));
  const { refused: separate } = writtenTool({ ...tool, refused: others }, definition) as {
    refused: JsonObject;
  };
  assert.equal(separate["changes"], [
    { becomes: { "/e": 1 }, says: "wrong 0" },
    { becomes: { "/e": null }, says: "wrong 1" },
  ]);
});

test("the arguments and the answer of an example are written once", () => {
  const answer = { content: [{ type: "text", text: "Sunny" }] };
  const tool: ToolContract = {
    ...contract([]),
    mock: answer,
    accepted: [{ arguments: valid, received: { ...valid, days: 3 } }, { arguments: { a: 2 } }],
    examples: [{ name: "a day", arguments: valid, answer }],
  };
  const file = writtenTool(tool, definition) as JsonObject;
  assert.equal(file["mock"], { example: "a day" });
  assert.equal(file["accepted"], [
    { example: "a day", received: { ...valid, days: 3 } },
    { arguments: { a: 2 } },
  ]);
  assert.equal(withWholeValues(file), { definition, ...tool });
});

test("a schema that differs from the listed one is written as its difference", () => {
  const inputSchema = { type: "object", properties: { e: { enum: ["a"] } } };
  const tool = { ...contract([]), inputSchema };
  const file = writtenTool(tool, definition) as JsonObject;
  assert.equal(file["inputDiffers"], { without: ["/properties/e/type"] });
  assert.equal(withWholeValues(file), { definition, ...tool });
});

test("long texts and lists in arguments and results are written as one part and a count", () => {
  const long = { ...valid, e: "x".repeat(2_000), list: [Array<number>(100).fill(7)] };
  const call = { arguments: long, received: { ...long, a: 5 } };
  const tool = { ...contract([], [long]), accepted: [{ arguments: valid }, call] };
  const text = JSON.stringify(writtenTool(tool, definition));
  assert.ok(text.includes('"continued":{"/e":2000,"/list/0":100}'), text);
  assert.ok(!text.includes("xxx"), text);
  assert.equal(withWholeValues(JSON.parse(text) as JsonObject), { definition, ...tool });
});

test("a call with a long default is written out in full", () => {
  const long = "x".repeat(100);
  const call = { arguments: { e: long }, received: { e: long, preset: long } };
  const { accepted } = writtenTool(
    { ...contract([]), accepted: [call] },
    definition,
  ) as ToolContract;
  assert.equal(accepted, [call]);
});

test("random values that are written to a contract and read again are the same", () => {
  const random = randomNumbers(1);
  for (let round = 0; round < 2_000; round++) {
    const values = Array.from({ length: 4 }, () => randomValue(random, 3));
    const tool = {
      ...contract(values, values),
      accepted: values.map((value) => ({ arguments: { value, also: valid } })),
    };
    const read = JSON.parse(JSON.stringify(writtenTool(tool, definition))) as JsonObject;
    assert.equal(withWholeValues(read), JSON.parse(JSON.stringify({ definition, ...tool })));
  }
});

const NAMES = ["a", "b/c", "~d", "e", "__proto__", "0", ""];

function randomValue(random: RandomNumbers, depth: number): JsonValue {
  const kind = random(depth > 0 ? 7 : 4);
  if (kind === 0) return null;
  if (kind === 1) return random(3);
  if (kind === 2) return "x".repeat(random(4));
  if (kind === 3) return `ab${"b".repeat(random(60))}`;
  if (kind === 4) return { ...valid, e: randomValue(random, depth - 1) };
  const count = random(4);
  const inner = Array.from({ length: count }, () => randomValue(random, depth - 1));
  if (kind === 5) return inner.flatMap((item) => Array<JsonValue>(1 + random(30)).fill(item));
  return Object.fromEntries(inner.map((item) => [NAMES[random(NAMES.length)] ?? "", item]));
}

test.run();
