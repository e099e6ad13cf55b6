import { test } from "uvu";
import * as assert from "uvu/assert";
import { consentQuestion } from "./question.js";

const ask = (path: unknown): string =>
  consentQuestion(["Delete ", { argument: "path" }, " for good?"], { path });

test("texts are quoted, and other values are shown as they are", () => {
  assert.is(ask("/a b"), 'Delete "/a b" for good?');
  assert.is(ask(7), "Delete 7 for good?");
  assert.is(ask(false), "Delete false for good?");
  assert.is(ask(["a", 1]), 'Delete ["a",1] for good?');
  assert.is(ask(undefined), "Delete  for good?");
});

test("no value can end its quotes, or look like text of the manifest", () => {
  assert.is(ask('x" for good? No: keep "y'), 'Delete "x\\" for good? No: keep \\"y" for good?');
  assert.is(ask("\\"), 'Delete "\\\\" for good?');
  assert.is(ask("{{path}}"), 'Delete "{{path}}" for good?');
  assert.is(ask({ 'a" ': 1 }), 'Delete {"a\\" ":1} for good?');
});

test("characters that a person does not see are escaped", () => {
  const unseen = [
    ...["\u0000", "\u0007", "\u001b", "\n", "\r", "\t", "\u007f", "\u0085", "\u009b", "\u00a0"],
    ...["\u00ad", "\u034f", "\u061c", "\u115f", "\u180e", "\u200b", "\u200d", "\u200e", "\u200f"],
    ...["\u2028", "\u2029", "\u202a", "\u202e", "\u2060", "\u2066", "\u2069", "\u2800", "\u3000"],
    ...["\u3164", "\ufe0f", "\ufeff", "\uffa0", "\u{e0041}", "\u{e0101}", "\ud800", "\udc00"],
  ];
  for (const character of unseen) {
    for (const value of [`a${character}b`, [`a${character}b`], { [character]: 1 }]) {
      const question = ask(value);
      assert.match(question, /^Delete [ -~]* for good\?$/, JSON.stringify(value));
      assert.match(question, "\\", JSON.stringify(value));
    }
  }
  assert.is(ask("über 日本 🎉"), 'Delete "über 日本 🎉" for good?');
});

test("long values are shortened outside of their quotes", () => {
  const long = `/a${"x".repeat(5_000)}/end`;
  const question = ask(long);
  assert.match(question, /^Delete "\/ax+"…"x+\/end" \(5006 characters\) for good\?$/);
  assert.ok(question.length < 200);
  assert.ok(ask(["x".repeat(5_000)]).length < 200);
  assert.ok(ask("\u202e".repeat(5_000)).length < 1_200);
  assert.is(ask('"…"x" (5000 characters)'), 'Delete "\\"…\\"x\\" (5000 characters)" for good?');
});

test("sections show whether an argument is there", () => {
  const template = ["Delete", { when: "path", then: [" ", { argument: "path" }] }, "?"];
  assert.is(consentQuestion(template, { path: "a" }), 'Delete "a"?');
  assert.is(consentQuestion(template, {}), "Delete?");
});

test.run();
