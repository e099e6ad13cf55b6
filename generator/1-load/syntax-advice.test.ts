import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "./load.js";

const tool = "name: demo\ntools:\n  - name: a\n";

/** The one diagnostic of a text, as `line:column message; hint`. */
function onlyDiagnostic(text: string): string {
  const { diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.is(diagnostics.length, 1, JSON.stringify(diagnostics.map(({ message }) => message)));
  const [{ line = 0, column = 0, message = "", hint = "" } = {}] = diagnostics;
  return `${line}:${column} ${message}; ${hint}`;
}

/** Texts with what must be said about them. */
function expectDiagnostics(cases: readonly (readonly [string, RegExp])[]): void {
  for (const [text, expected] of cases) assert.match(onlyDiagnostic(text), expected, text);
}

test("a line that is not indented like its siblings gets a hint", () => {
  expectDiagnostics([
    [`${tool}   title: A\n`, /^4:1 .*is not indented like its siblings$/],
    [`${tool}    icons: []\n   title: A\n`, /^5:1 .*is not indented like its siblings$/],
    [
      `${tool}     title: A\n`,
      /^4:6 .*"title" is indented further than "name" above it, .*; start "title" in column 5, or/,
    ],
    ["name: demo\n version: 1.0.0\n", /^2:2 .*; start "version" in column 1, or/],
    [`${tool}    title: A b.\n      icons: []\n    _meta: {}\n`, /^5:7 .*; start "icons" in/],
    [`${tool}    icons: []\n  name: b\n`, /^5:1 .*keys of one mapping start in the same column/],
  ]);
});

test("tabs as indentation are reported once, at the first", () => {
  expectDiagnostics([
    ["tools:\n\t- name: a\n\t  title: b\n", /^2:1 .*Tabs are not allowed.*indent with spaces$/],
    ["tools:\n  -\tname: a\n  \ttitle: b\n", /^2:4 .*Tabs are not allowed/],
    [`${tool}    inputSchema:\n    \ttype: object\n    \ttitle: b\n`, /^5:5 .*Tabs/],
    ["tools: [\n\t{name: a}\n]\n", /^2:1 .*Tabs are not allowed/],
    [`${tool}    description: >\n\tHello\n`, /^5:1 .*Tabs are not allowed/],
  ]);
  const { diagnostics } = loadManifest("mcp.yaml", Buffer.from("a: `x`\nb:\n\tc: 1\n\td: 2\n"));
  assert.equal(
    diagnostics.map(({ line, column }) => `${line}:${column}`),
    ["1:4", "3:1"],
  );
});

test("a missing space after a dash is named", () => {
  expectDiagnostics([
    ["tools:\n  -name: a\n   title: b\n", /a space is missing after the dash: "- name:"/],
  ]);
});

test("a missing colon, or a missing space after a colon, is named", () => {
  expectDiagnostics([
    ["name:demo\nversion: 1.0.0\n", /^1:1 .*a space is missing after "name:"/],
    [`${tool}    title:A\n`, /^4:5 .*a space is missing after "title:"/],
    ["name: demo\ntools\n  - name: a\n", /^2:1 .*a colon is missing after "tools"/],
    [`${tool}    title\n`, /a colon is missing after "title"/],
  ]);
});

test("a text under | or > that stands no further right than its key is named", () => {
  const hint = (key: string): RegExp => new RegExp(`; indent the text under "${key}" further than`);
  expectDiagnostics([
    [`${tool}    description: |\n    Pings.\n    title: A\n`, hint("description: \\|")],
    [`${tool}    description: >-\n    Pings: it\n    says pong.\n`, hint("description: >")],
    [`${tool}    description: |\n\n    Pings.\n    title: A\n`, hint("description: \\|")],
    [`${tool}  - description: |\n    Pings.\n`, hint("description: \\|")],
    [`${tool}    description: |\n      Pings.\n    title\n`, /a colon is missing after "title"/],
  ]);
});

test("a second key that may belong to the key above it gets a hint", () => {
  expectDiagnostics([
    [
      "City:\n  name:\n  type: string\n  age:\n  type: integer\n",
      /^5:3 the key "type" is here twice.*; if it belongs to "age" on line 4, indent it$/,
    ],
    [
      "description: x\ntools:\n  - name: a\ndescription: y\n",
      /; if it belongs to "tools" on line 2, indent it$/,
    ],
    ["tools:\n  - name: a\ntools:\n  - name: b\n", /the first is on line 1; $/],
    ["a: 1\nb: ~\nc: []\na: 2\n", /; $/],
    ["a: {b: 1, c: , b: 2}\n", /; $/],
  ]);
});

test("a text that needs quotes, or other quotes, gets a hint", () => {
  expectDiagnostics([
    [`${tool}    title: Note: a\n`, /a text that contains `: ` must be in quotes/],
    [`${tool}    title: 'It's a tool'\n`, /^4:16 .*in other quotes than it contains$/],
    [`${tool}    title: "Say "hi""\n`, /^4:18 .*in other quotes than it contains$/],
    [`${tool}    title: *bold* text\n`, /a text that starts with a sign of YAML in quotes/],
    [`${tool}    title: {city} now\n`, /a text that starts with a sign of YAML in quotes/],
    [`${tool}    title: > 5 items\n`, /a text that starts with a sign of YAML in quotes/],
    [`${tool}    title: - Does a.\n`, /^4:12 .*a text that starts with a sign of YAML in quotes/],
    [`${tool}    title: !important Read it\n`, /^4:12 .*a text that starts with ! in quotes$/],
    [`${tool}    title: !!str 1\n`, /^4:12 .*put quotes around a value/],
    [`${tool}    title: & co\n`, /^4:12 .*a text that starts with & or \* in quotes$/],
    [`${tool}    title: -\n    icons: []\n`, /^4:12 .*starts with a sign of YAML in quotes/],
    [`${tool}    title: !include a.yaml\n`, /^4:12 .*the key `include` joins files to a manifest/],
  ]);
});

test("a text that needs quotes inside brackets is reported where it starts", () => {
  expectDiagnostics([
    [
      "a:\n  - { uri: issue://{id}, name: b }\n",
      /^2:12 .*is not in quotes; write "issue:\/\/\{id\}"$/,
    ],
    [
      `tools:\n  - {pattern: ^INC-\\d{1,6}$}\n`,
      /^2:15 .*is not in quotes; write '\^INC-\\d\{1,6\}\$'$/,
    ],
    ["a: { pattern: /^[A-Z]+$/ }\n", /^1:15 .*; write "\/\^\[A-Z\]\+\$\/"$/],
    ["a: { port: ${PORT} }\n", /^1:12 .*; write "\$\{PORT\}"$/],
    ["a: [x, {id} of it]\n", /^1:8 .*; write "\{id\} of it"$/],
    ["a: { b: Number: of it }\n", /^1:9 .*; a comma is missing .*, or a text that contains `: `/],
    ["a: { b: string c: d }\n", /; a comma is missing before a key, or/],
    ["a: { b: x, e.g. [12] }\n", /; a quote, bracket, comma or colon is missing/],
  ]);
});

test("habits of JSON, of JavaScript and of chats are named", () => {
  expectDiagnostics([
    [`${tool}    annotations: { x: 1 },\n    title: A\n`, /^4:26 .*; remove the comma$/],
    [`${tool}    title: "A",\n`, /^4:15 .*; remove the comma$/],
    ["name: demo\n// the tools\ntools: []\n", /^2:1 .*; a comment begins with #$/],
    ["```yaml\nname: demo\ntools: []\n```\n", /^1:1 .*fence.*; leave out its first and its last/],
  ]);
});

test("a placeholder without quotes is reported at its outer brace", () => {
  const whole = (placeholder: string) =>
    `${placeholder} is a mapping to YAML; write "${placeholder}"`;
  const part = "is a mapping to YAML; put the whole text in quotes";
  for (const [value, column, hint] of [
    ["{{city}}", 12, whole("{{city}}")],
    ["{{ user.city }}", 12, whole("{{ user.city }}")],
    ["[x, {{city}}, y]", 16, whole("{{city}}")],
    ["{a: {{city}}}", 16, whole("{{city}}")],
    ["{{city}} now", 12, `{{city}} ${part}`],
    ["{{city}}/now", 12, `{{city}} ${part}`],
    ["[a, {{city}}/now]", 16, `{{city}} ${part}`],
    ["[a, now/{{city}}]", 20, `{{city}} ${part}`],
    ["{{city}}{{day}}", 12, `{{city}} ${part}`],
    ["{{#city}}in {{city}}{{/city}}", 12, `{{#city}} ${part}`],
  ] as const) {
    const found = onlyDiagnostic(`${tool}    title: ${value}\n`);
    assert.ok(found.startsWith(`4:${column} `) && found.endsWith(`; ${hint}`), found);
  }
  assert.match(onlyDiagnostic("{{city}}: 1\n"), /^1:1 .*; \{\{city\}\} is a mapping to YAML/);
  assert.match(onlyDiagnostic("a: {{b, c}: d}\n"), /^1:5 a key must be a string.*; $/);
});

test("quotes and brackets that are not closed are reported at the place where they open", () => {
  expectDiagnostics([
    ['name: demo\ntitle: "abc\nversion: 1.0.0\n', /^2:8 .*starts here has no closing "/],
    [
      `${tool}    _meta: { a: { b: 1 }\n  - name: b\n`,
      /^4:12 .*the \{ that opens here is not closed/,
    ],
    ["name: demo\nkeywords: [a, b\nversion: 1.0.0\n", /^2:11 .*the \[ that opens here/],
  ]);
});

test("a closing bracket that stands too far left is reported at its place, once", () => {
  expectDiagnostics([
    ["tools: [ {\n  name: a\n} ]\n", /^3:1 .*the \} that closes a \{ must stand farther right/],
    ["a:\n  b: [ {\n    c: 1\n  } ]\nd: 1\n", /^4:3 .*farther right than the key before the \{/],
    ["a: { b: [\n  1\n] }\n", /^3:1 .*the \] that closes a \[ must stand farther right/],
  ]);
});

test("a comment in which a bracket ends is reported at its sign", () => {
  expectDiagnostics([
    [
      "a:\n  pet: { $ref: #/schemas/Pet }\n  days: { type: integer }\n",
      /^2:16 .*# begins a comment here, in which the \{ .*; write \$ref: "#\/schemas\/Pet"$/,
    ],
    ["a:\n  pet: { b: {$ref: #/schemas/Pet} }\n", /^2:20 .*; write \$ref: "#\/schemas\/Pet"$/],
    ["a: { default: #fff, type: string }\nb: 1\n", /^1:15 .*; write default: "#fff"$/],
    ["a: [red, #fff]\nb: 1\n", /^1:10 .* the \[ .*; write "#fff"$/],
    ["a: [#fff, #000]\nb: 1\n", /^1:5 .*put a text with # in quotes/],
    ["a: { title: Closes #12 }\nb: 1\n", /^1:20 .*; put the whole text in quotes$/],
    ["a: { b: 1, # the end }\n  c: 2\nd: 1\n", /^1:4 .*the \{ that opens here is not closed/],
    ["a: { b: 'x #1 }', c: '}'\nd: 1\n", /^1:4 .*the \{ that opens here is not closed/],
  ]);
});

test("a comment after a very long word is examined fast enough", () => {
  const word = "a".repeat(400_000);
  assert.match(onlyDiagnostic(`x: { ${word} #x }\nb: 1\n`), /; put the whole text in quotes$/);
});

test("a file with the conflict markers of a git merge is reported once", () => {
  const text = "<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> other\nversion: 1.0.0\n";
  assert.match(
    onlyDiagnostic(text),
    /^1:1 .*conflict markers of a git merge; resolve the conflict/,
  );
});

test.run();
