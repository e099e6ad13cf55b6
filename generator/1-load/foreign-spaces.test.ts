import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "./load.js";

/** The findings of a text, in which `~` is a no-break space, as `line:column code message; hint`. */
function found(text: string, character = "\u00a0"): string[] {
  const source = Buffer.from(text.replaceAll("~", character));
  return loadManifest("mcp.yaml", source).diagnostics.map(
    ({ line, column, code, message, hint = "" }) => `${line}:${column} ${code} ${message}; ${hint}`,
  );
}

const tools = "name: demo\ntools:\n";

test("a line that is indented with no-break spaces is one finding, at its start", () => {
  const indented = "MW1026 this line is indented with no-break spaces (U+00A0); use spaces";
  for (const [text, place] of [
    [`${tools}  - name: a\n~~~~description: x\n`, "4:1"],
    [`${tools}  - name: a\n~ ~ description: x\n    title: y\n`, "4:1"],
    [`${tools}  - name: a\n  ~~description: x\n`, "4:3"],
    [`${tools}  - name: a\n    ~~description: x\n`, "4:5"],
    [`${tools}  - name: a\n      ~~description: x\n`, "4:7"],
    [`${tools}~~- name: a\n`, "3:1"],
    [`${tools}  - ~name: a\n    title: b\n`, "3:5"],
    [`${tools}  - name: a\n    aliases:\n~~~~  - b\n`, "5:1"],
    [`${tools}  - name: a\n    aliases:\n     ~- b\n`, "5:6"],
    [`${tools}  - name: a\n    description: |\n~~~~~~Does a.\n    title: x\n`, "5:1"],
    [`${tools}  - name: a\n    description:\n~~~~~~Does a.\n`, "5:1"],
    [`${tools}  - name: a\n~~~~"description": x\n`, "4:1"],
  ] as const) {
    assert.equal(found(text), [`${place} ${indented}`], text);
  }
  assert.equal(found(`${tools}  - name: a\n~~~~title: x\n~~~~icons: []\n~~~~_meta: {}\n`), [
    `4:1 ${indented}, here and in 2 more lines`,
  ]);
});

test("other characters that look like spaces are named, and those without a width", () => {
  const text = `${tools}  - name: a\n~   description: x\n`;
  assert.match(found(text, "\u3000").join("\n"), /^4:1 .*with ideographic spaces \(U\+3000\)/);
  assert.match(found(text, "\u2003").join("\n"), /^4:1 .*with spaces \(U\+2003\)/);
  for (const [character, name] of [
    ["\u200b", "zero-width space (U+200B)"],
    ["\ufeff", "byte-order mark (U+FEFF)"],
  ] as const) {
    const [finding, ...others] = found(`version: 1.0.0\n~name: demo\n`, character);
    assert.is(finding, `2:1 MW1026 this line starts with a ${name}, which is not seen; remove it`);
    assert.is(others.length, 0);
  }
});

test("a no-break space after a colon or a dash is named with what stands before it", () => {
  const after = (sign: string) =>
    `MW1026 a no-break space (U+00A0) stands after "${sign}" in place of a space; use spaces`;
  for (const [text, expected] of [
    ["name:~demo\nversion: 1.0.0\n", `1:6 ${after("name:")}`],
    ["name: demo\nversion:~1.0.0\n", `2:9 ${after("version:")}`],
    [`${tools}  - name:~a\n    title: b\n`, `3:10 ${after("name:")}`],
    [`${tools}  -~name: a\n    title: b\n`, `3:4 ${after("-")}`],
    [`${tools}  - { name: a, title:~b }\n`, `3:22 ${after("title:")}`],
  ] as const) {
    assert.equal(found(text), [expected], text);
  }
});

test("no-break spaces and the like inside of texts, quotes and comments are kept", () => {
  for (const text of [
    "a: |\n  ~~b: c\n  -~d\n",
    "a: >\n  ~~b\n",
    'a: "b\n  ~~c: d"\n',
    "a: b\n  ~~c\n",
    "a: Note:~b\n",
    "a:\n  - b:~c\n  - ~d\n",
    "#~a\nb: 1 #~c:~d\n",
    '"~a": 1\n"b:~c": 2\n',
    "a~b: 1\n",
    "a: [b~, ~c]\n",
  ]) {
    assert.equal(found(text), [], text);
  }
});

test.run();
