import { test } from "uvu";
import * as assert from "uvu/assert";
import { code, fenced, paragraphs, prose } from "./markdown.js";

test("a code span has more backticks around it than inside", () => {
  assert.is(code("a"), "`a`");
  assert.is(code("a`b"), "``a`b``");
  assert.is(code("`a``"), "``` `a`` ```");
  assert.is(code(" "), "` `");
  assert.is(code(" a "), "`  a  `");
});

test("a code span stays on its line and in its table cell", () => {
  assert.is(code("a\nb\tc"), "`a\\nb\\tc`");
  assert.is(code("a|b"), "`a`&#124;`b`");
  assert.is(code("\\|"), "`\\`&#124;");
});

test("Markdown marks in prose are shown as text", () => {
  const shown: Record<string, string> = {
    "# a": "\\# a",
    "- a": "\\- a",
    "1. a": "1\\. a",
    "2) a": "2\\) a",
    "> a": "&gt; a",
    "*a* _b_ `c` ~d~": "\\*a\\* \\_b\\_ \\`c\\` \\~d\\~",
    snake_case_name: "snake_case_name",
    "[a](b) ![c](d)": "\\[a\\](b) !\\[c\\](d)",
    "<b>&lt;": "&lt;b&gt;&amp;lt;",
    "a | b": "a &#124; b",
    "a\\": "a\\\\",
    "Costs $5, R&D.": "Costs \\$5, R&amp;D.",
    "one\ntwo": "one two",
  };
  for (const [text, markdown] of Object.entries(shown)) assert.is(prose(text), markdown);
});

test("a text that looks like a link is shown as code", () => {
  assert.is(prose("See https://a.example/b?c_d."), "See `https://a.example/b?c_d`.");
  assert.is(prose("me@a.example, www.b.example!"), "`me@a.example`, `www.b.example`!");
  assert.is(prose("edit mcp.yaml"), "edit `mcp.yaml`");
  assert.is(prose("e.g. this; and 1.5"), "e.g. this; and 1.5");
  assert.is(prose("Begins with www. here."), "Begins with `www`. here.");
});

test("invisible characters are shown by their code, and emoji are kept", () => {
  assert.is(prose("a\u202Eb\u200B"), "a\\[U+202E\\]b\\[U+200B\\]");
  assert.is(code("\u001b[31m\u{E0041}"), "`[U+001B][31m[U+E0041]`");
  assert.is(prose("☀\uFE0F \u{1F469}\u200D\u{1F4BB}"), "☀\uFE0F \u{1F469}\u200D\u{1F4BB}");
  assert.is(prose("a\uFE0F"), "a\\[U+FE0F\\]");
  assert.is(
    prose("\u2066\uFE0F\u3164\u200D☀"),
    "\\[U+2066\\]\\[U+FE0F\\]\\[U+3164\\]\\[U+200D\\]☀",
  );
});

test("emphasis works although the text begins or ends with spaces", () => {
  assert.is(`**${prose("\u2003a\u3000b\u00a0")}**`, "**a\u3000b**");
});

test("paragraphs keep line breaks and blank lines", () => {
  assert.is(paragraphs("\na\r\nb\n\n\n\n    c\n"), "a\\\nb\n\nc");
});

test("a fence has more backticks than any line inside", () => {
  assert.is(fenced("json", '"````"'), '`````json\n"````"\n`````');
});

test("long and repetitive Markdown is escaped in linear time", () => {
  for (const text of ["`".repeat(1e6), ".".repeat(1e6), "a.".repeat(5e5), "`a".repeat(5e5)]) {
    assert.ok(prose(text).length >= text.length);
    assert.ok(code(text).length >= text.length);
  }
});

test.run();
