import { test } from "uvu";
import * as assert from "uvu/assert";
import { jsonText } from "./json-text.js";

const value = {
  name: "a",
  list: [1, null, -0, { b: [] }],
  empty: {},
  "\u202E": "\u0007\n\u{1F600}",
};

test("without a width, JSON has the layout of JSON.stringify", () => {
  const { "\u202E": _hidden, ...plain } = value;
  assert.is(jsonText(plain), JSON.stringify(plain, null, 2));
});

test("invisible and control characters are escaped, and the value stays the same", () => {
  const text = jsonText(value);
  assert.match(text, '"\\u202e": "\\u0007\\n\u{1F600}"');
  assert.equal(JSON.parse(text), JSON.parse(JSON.stringify(value)));
});

test("with a width, a value that fits is on one line", () => {
  assert.is(
    jsonText({ first: [1, 2], second: { long: "value of some length" } }, 30),
    '{\n  "first": [1, 2],\n  "second": {\n    "long": "value of some length"\n  }\n}',
  );
  assert.is(jsonText({ a: [1] }, 30), '{ "a": [1] }');
});

test.run();
