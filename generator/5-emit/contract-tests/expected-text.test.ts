import { test } from "uvu";
import * as assert from "uvu/assert";
import { expectedBlock, expectedText } from "./expected-text.js";

test("arguments are inserted into a template as they are", () => {
  const template = ["Hi ", { argument: "who" }, "!"] as const;
  assert.is(expectedText(template, { who: "{{who}} $&" }), "Hi {{who}} $&!");
  assert.is(expectedText(template, {}), "Hi !");
  assert.is(expectedText(template, { who: { a: [1] } }), 'Hi {"a":[1]}!');
});

test("a section of a template depends on whether its argument is given", () => {
  const template = [
    { when: "a", then: ["yes ", { unless: "b", then: ["only"] }] },
    { unless: "a", then: ["no"] },
  ] as const;
  assert.is(expectedText(template, { a: "" }), "yes only");
  assert.is(expectedText(template, { a: "1", b: "2" }), "yes ");
  assert.is(expectedText(template, { b: "2" }), "no");
  assert.is(expectedText([{ argument: "toString" }], {}), "");
});

test("content blocks other than text are kept as they are", () => {
  const block = { type: "image", data: "{{a}}", mimeType: "image/png" };
  assert.equal(expectedBlock({ kind: "verbatim", block }, { a: "x" }), block);
  const text = { kind: "text", text: [{ argument: "a" }], rest: { _meta: { b: 1 } } } as const;
  assert.equal(expectedBlock(text, { a: "x" }), { type: "text", text: "x", _meta: { b: 1 } });
});

test.run();
