import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../model/json.js";
import { commentLines, writeKey, writeLiteral, writeString } from "./literal.js";

/** The value of a written expression in JavaScript. */
const evaluate = (expression: string): unknown => new Function(`return (${expression});`)();

const hostileTexts = [
  "",
  "`${globalThis.__PWNED__=1}` ${x} \\` \\${",
  "a'+(globalThis.__PWNED__=1)+'",
  '"; globalThis.__PWNED__ = 1; "',
  "x\u2028y\u2029z\r\n\t\0\u001b]0;pwn\u0007",
  "safe\u202e\u2066 evil \u2069\u200b\ufeff",
  "tags \u{e0049}\u{e0047}",
  "lone \ud800 and \udc00 surrogates",
  "</script><!-- *​/ // /*",
  "emoji 🙂 and 中文 stay",
];

test("a string literal has the value of its text", () => {
  for (const text of hostileTexts)
    assert.is(evaluate(writeString(text)), text, JSON.stringify(text));
});

test("a string literal keeps every UTF-16 unit", () => {
  const all = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join("");
  assert.is(evaluate(writeString(all)), all);
});

test("invisible characters are escaped, readable ones are not", () => {
  const written = writeString(hostileTexts.join(""));
  assert.not.match(
    written,
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/,
  );
  assert.not.match(written, /[\u{e0000}-\u{e0fff}]/u);
  assert.match(written, "🙂 and 中文");
});

test("supplementary invisible characters are escaped", () => {
  const invisible = ["\u{13430}", "\u{1bca0}", "\u{1d173}", "\u{e0100}"];
  const written = invisible.map(writeString);
  assert.ok(written.every((text) => /^[ -~]+$/.test(text)));
  assert.equal(written.map(evaluate), invisible);
});

test("no literal has a quote after two backslashes", () => {
  for (const text of ["\\", "a\\", 'a\\"', "\\\\\\", '"\\']) {
    const written = writeString(text);
    assert.not.match(written.slice(1), /(?<!\\)(?:\\\\)+"/);
    assert.is(evaluate(written), text);
  }
});

test("no text is written as the address of a source map", () => {
  const text = "//# sourceMappingURL=data:,x /*#\u3000sourceMappingURL=y*/";
  assert.not.match(writeString(text), /\/[*/]#\s+sourceMappingURL/);
  assert.is(evaluate(writeString(text)), text);
  assert.not.match(commentLines(text).join(), /#\s+sourceMappingURL/);
});

test("keys are quoted only if necessary", () => {
  assert.equal(["plain", "$ok", "user-id", "2fa", "", "中"].map(writeKey), [
    "plain",
    "$ok",
    '"user-id"',
    '"2fa"',
    '""',
    '"中"',
  ]);
});

test("__proto__ is an ordinary key", () => {
  const value = evaluate(writeLiteral(JSON.parse('{"__proto__": {"isAdmin": true}}') as JsonValue));
  assert.is(Object.getPrototypeOf(value), Object.prototype);
  assert.ok(Object.hasOwn(value as object, "__proto__"));
});

test("values keep the order of keys, their depth and their numbers", () => {
  const value: JsonValue = { b: [1, -0, 1e21, 5e-324, { a: null, "": [true, false] }], a: {} };
  const copy = evaluate(writeLiteral(value)) as typeof value;
  assert.equal(copy, value);
  assert.equal(Object.keys(copy), ["b", "a"]);
  assert.ok(Object.is((copy["b"] as number[])[1], -0));
  assert.throws(() => writeLiteral(Number.NaN));
});

test("a comment cannot be ended, and no line of it is a directive or a tag", () => {
  const lines = commentLines(
    '*/ x /*\n@ts-nocheck\n  @deprecated\n# sourceMappingURL=x\n/ <reference path="x"/>\r\na {@link b\u2028@c',
  );
  const text = lines.join("\n");
  assert.not.match(text, "*/");
  assert.not.match(text, /(^|[\s{])@\w/m);
  assert.not.match(text, /^\s*[#/]/m);
  assert.is(lines.length, 7);
  assert.equal(["@", "a @(b", "{@é}"].flatMap(commentLines), ["\\@", "a \\@(b", "{\\@é}"]);
});

test.run();
