import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseTextTemplate } from "./text-template.js";

const NAMES = new Set(["who", "style", "with space"]);

const templateOf = (text: string) => parseTextTemplate(text, NAMES).template;

const problemsOf = (text: string): string[] =>
  parseTextTemplate(text, NAMES).problems.map(
    ({ kind, offset, length }) => `${kind}: ${text.slice(offset, offset + length)}`,
  );

test("placeholders are arguments between text", () => {
  assert.equal(templateOf("Hello {{who}}!"), ["Hello ", { argument: "who" }, "!"]);
  assert.equal(templateOf("{{who}}{{style}}"), [{ argument: "who" }, { argument: "style" }]);
  assert.equal(templateOf("{{with space}}"), [{ argument: "with space" }]);
  assert.equal(templateOf("plain"), ["plain"]);
  assert.equal(templateOf(""), []);
});

test("sections depend on the presence of an argument", () => {
  assert.equal(templateOf("a{{#style}}, by {{style}}{{/style}}{{^style}} freely{{/style}}."), [
    "a",
    { when: "style", then: [", by ", { argument: "style" }] },
    { unless: "style", then: [" freely"] },
    ".",
  ]);
  assert.equal(templateOf("{{#who}}{{#style}}x{{/style}}{{/who}}"), [
    { when: "who", then: [{ when: "style", then: ["x"] }] },
  ]);
});

test("four braces are the text of two", () => {
  assert.equal(templateOf("{{{{who}}"), ["{{who}}"]);
  assert.equal(templateOf("{{{{{{who}}"), ["{{", { argument: "who" }]);
  assert.equal(templateOf("a{{{{b"), ["a{{b"]);
});

test("all other braces are text", () => {
  for (const text of [
    "{who}",
    "${who}",
    "{{",
    "}}",
    "{{}}",
    "{{#}}",
    "{{who",
    "{{who}",
    "{ {who} }",
  ]) {
    assert.equal(templateOf(text), [text]);
    assert.equal(problemsOf(text), []);
  }
  assert.equal(templateOf("{{{who}}}"), ["{", { argument: "who" }, "}"]);
  assert.equal(templateOf('{{"a": {"b": 1}}'), ['{{"a": {"b": 1}}']);
});

test("text that resembles a placeholder is reported", () => {
  for (const text of ["{{ who }}", "{{who }}", "{{# style }}", "{{/ style}}"]) {
    assert.equal(templateOf(text), [text]);
    assert.equal(problemsOf(text), [`near miss: ${text}`]);
  }
  assert.equal(problemsOf("{{ other }}"), []);
});

test("unknown names are reported", () => {
  assert.equal(problemsOf("{{missing}}"), ["unknown name: {{missing}}"]);
  assert.equal(problemsOf("{{Who}} {{toString}}"), [
    "unknown name: {{Who}}",
    "unknown name: {{toString}}",
  ]);
  assert.equal(problemsOf("{{#missing}}x{{/missing}}"), ["unknown name: {{#missing}}"]);
  assert.equal(problemsOf("{{#missing}}"), ["unknown name: {{#missing}}"]);
});

test("sections that are not closed or not open are reported", () => {
  assert.equal(problemsOf("{{#who}}x"), ["unclosed section: {{#who}}"]);
  assert.equal(problemsOf("{{/who}}"), ["section not open: {{/who}}"]);
  assert.equal(problemsOf("{{#who}}{{#style}}{{/who}}{{/style}}"), [
    "unclosed section: {{#who}}",
    "section not open: {{/who}}",
  ]);
});

test("the depth of sections is limited", () => {
  const nested = (levels: number) => "{{#who}}".repeat(levels) + "{{/who}}".repeat(levels);
  assert.equal(problemsOf(nested(16)), []);
  assert.equal(problemsOf(nested(17)), ["sections too deep: {{#who}}"]);
});

test("long texts of braces are parsed in linear time", () => {
  for (const start of ["{{", "{{{{", "{{a", "{{#who}}", "}}", "{{ who }}", "{{who}}"]) {
    parseTextTemplate(start.repeat(20_000), NAMES);
  }
});

test.run();
