import { test } from "uvu";
import * as assert from "uvu/assert";
import { jsonLength, jsonOf } from "./long-texts.js";

const LONG = `"quoted" \n für 😀 `.repeat(100_000);

test("a message with long texts is written as bytes, with the same JSON", () => {
  const blocks = [
    { type: "text", text: LONG },
    { type: "text", text: "short" },
    { type: "resource", resource: { uri: "a:b", blob: "QUJD".repeat(500_000), _meta: { a: 1 } } },
  ];
  for (const value of [
    { jsonrpc: "2.0", id: 1, result: { content: blocks, isError: false } },
    { contents: [{ uri: "a:b", text: LONG }] },
    { messages: [{ role: "user", content: { type: "text", text: LONG } }] },
    { messages: [{ role: "user", content: blocks.slice(1) }] },
  ]) {
    const before = JSON.stringify(value);
    const json = jsonOf(value, JSON.stringify);
    assert.instance(json, Array);
    const bytes = Buffer.concat(json as Buffer[]);
    assert.ok(JSON.stringify(JSON.parse(bytes.toString())) === before);
    assert.ok(JSON.stringify(value) === before, "the message itself is unchanged");
  }
});

test("a message without long texts is passed on unchanged", () => {
  const value = { content: [{ type: "text", text: "short" }], structuredContent: { text: LONG } };
  assert.is(
    jsonOf(value, (given) => {
      assert.is(given, value);
      return "JSON";
    }),
    "JSON",
  );
});

test("the length of a text as JSON is that of its parts", () => {
  for (const text of ["", 'short "text"', 'a"\n'.repeat(100_000)]) {
    assert.is(jsonLength(text), JSON.stringify(text).length);
  }
});

test.run();
