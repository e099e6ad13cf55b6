import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "./load.js";

/** The findings of a text, as `line:column severity message`. */
function found(text: string): string[] {
  return loadManifest("mcp.yaml", Buffer.from(text)).diagnostics.map(
    ({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`,
  );
}

test("a text that goes on in what YAML takes for a comment is a warning", () => {
  const ends = (comment: string) => `warning the text ends before "${comment}", which is a comment`;
  for (const [text, expected] of [
    ["a: Closes issue #12 of b.\n", `1:17 ${ends("#12 of b.")}`],
    ["a: Closes #12\r\nb: c\r\n", `1:11 ${ends("#12")}`],
    ["a:\n  - Post to #general  \n", `2:13 ${ends("#general")}`],
    ["a: [b, in it  #été c\n  ]\n", `1:15 ${ends("#été c")}`],
    ["a:\n  Write\n  to #b", `3:6 ${ends("#b")}`],
  ] as const) {
    assert.equal(found(text), [expected], text);
  }
});

test("a comment is not taken for lost text if a space follows its sign, or a single word or a text in quotes stands before it", () => {
  for (const text of [
    "a: Closes issue # 12 of b.\n",
    "a: Closes issue ## 12\n",
    "a: b #todo: rename it\n",
    "a: 30 #12 is too little\n",
    "a: true #1\n",
    'a: "Closes issue" #12\n',
    "a: | #12\n  Closes issue #12\n",
    "a: #12\n",
    "a: Closes issue#12\n",
    "a: Closes issue\n#12\n",
    "a b: #c\n  d: 1\n",
  ]) {
    assert.equal(found(text), [], text);
  }
});

test("the anchor of a text is a warning if no alias repeats it", () => {
  const unused = (anchor: string) =>
    `warning the anchor &${anchor} is never used, and is no part of the text`;
  assert.equal(found("a: &amp starts an entity\nb:\n  - &x\n"), [
    `1:4 ${unused("amp")}`,
    `3:5 ${unused("x")}`,
  ]);
  assert.equal(found("a: &x b\nc: *x\nd: &x e\n"), [`3:4 ${unused("x")}`]);
});

test("an unused anchor is reported on texts without quotes only", () => {
  for (const text of ['a: &x "b"\n', "a: &x {}\n", "a: &x 1\n", "a: &x\n  b: 1\n", "&x a: 1\n"]) {
    assert.equal(found(text), [], text);
  }
});

test.run();
