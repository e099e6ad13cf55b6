import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import {
  REAL_TOOLS,
  readOwnTools,
  readTools,
  testShared,
} from "../testing/harness/runner/shared-data.js";
import { longTest } from "../testing/harness/runner/test-length.js";
import { validateManifest } from "./validate.js";

function diagnose(yaml: string): readonly Diagnostic[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(yaml));
  if (manifest === undefined) throw new Error(JSON.stringify(diagnostics));
  return validateManifest(manifest);
}

/** Findings after the two lines that every manifest needs. */
const findings = (lines: string): string[] =>
  diagnose(`name: demo\nversion: 1.0.0\n${lines}`).map(
    ({ line, column, code }) => `${line}:${column} ${code}`,
  );

const messages = (lines: string): string[] =>
  diagnose(`name: demo\nversion: 1.0.0\n${lines}`).map(({ message }) => message);

test("a key in another notation, under another name or misspelt gets a suggestion", () => {
  const suggested = (key: string): string | undefined =>
    /did you mean "(\w+)"/.exec(
      messages(`tools: [{name: a, description: x, ${key}: {}}]\n`)[0] ?? "",
    )?.[1];
  assert.is(suggested("input_schema"), "inputSchema");
  assert.is(suggested("parameters"), "inputSchema");
  assert.is(suggested("returns"), "outputSchema");
  assert.is(suggested("anotations"), "annotations");
  assert.is(suggested("constructor"), undefined);
});

test("a key that the mapping already has is not suggested", () => {
  assert.equal(messages("tools: [{name: a, description: x, descriptions: y}]\n"), [
    'unknown key "descriptions" in a tool',
  ]);
});

test("a wrong type is reported with what was expected and found, and whether quotes help", () => {
  const [diagnostic] = diagnose("name: demo\nversion: 1.0.0\ntitle: 2024\n");
  assert.is(diagnostic?.message, '"title" must be a string, not the number 2024');
  assert.is(diagnostic?.hint, 'put it in quotes: "2024"');
  assert.equal(messages("author: 5\n"), [
    '"author" must be a string or a mapping, not the number 5',
  ]);
  assert.equal(messages("keywords: [a, [b]]\n"), [
    'item 2 of "keywords" must be a string, not a list',
  ]);
});

test("several mistakes are all reported, each once, in file order", () => {
  const yaml = [
    "tools:",
    "  - name: get user",
    "    descripton: x",
    "transports: [{type: stdoi}, {type: http, port: http}]",
    "prompts: 5",
    "",
  ].join("\n");
  assert.equal(findings(yaml), [
    "4:11 MW2001",
    "5:5 MW1203",
    "6:21 MW1205",
    "6:48 MW1201",
    "7:10 MW1201",
  ]);
});

test("a problem that aliases repeat is reported once, at the anchor", () => {
  const yaml =
    "x-a: &a {readOnlyHint: 1}\ntools:\n  - {name: a, description: x, annotations: *a}\n  - {name: b, description: y, annotations: *a}\n";
  assert.equal(findings(yaml), ["3:24 MW1201"]);
});

test("problems in texts are located at the characters in the source", () => {
  const block = [
    "prompts:",
    "  - name: p",
    "    description: x",
    "    messages:",
    "      - role: user",
    "        content:",
    "          type: text",
    "          text: |",
    "            Hello,",
    "            dear {{whom}}!",
    "",
  ].join("\n");
  assert.equal(findings(block), ["12:18 MW2040"]);
  const inline = block.replace(/text: \|\n.*\n.*/, 'text: "Hello {{whom}}"');
  assert.equal(findings(inline), ["10:24 MW2040"]);
  const escaped = block.replace(/text: \|\n.*\n.*/, 'text: "\\tHello {{whom}}"');
  assert.equal(findings(escaped), ["10:17 MW2040"]);
});

test("placeholders of a tool's fixed content name properties of its input, also behind references", () => {
  const tool = (inputSchema: string) =>
    `schemas: {City: {type: object, properties: {city: {type: string}}}}\ntools: [{name: a, description: x, inputSchema: ${inputSchema}, content: [{type: text, text: "{{city}}"}]}]\n`;
  const codes = (yaml: string) => findings(yaml).filter((found) => found.endsWith("MW2040"));
  assert.equal(codes(tool('{$ref: "#/schemas/City"}')), []);
  assert.equal(codes(tool('{type: object, allOf: [{$ref: "#/schemas/City"}]}')), []);
  assert.is(codes(tool("{type: object}")).length, 1);
});

test("placeholders of a question may be any names that a handler can write", () => {
  const question = (message: string) =>
    `tools: [{name: a, description: x, elicitations: {sure: {message: ${JSON.stringify(message)}, requestedSchema: {type: object, properties: {ok: {type: boolean}}}}}}]\n`;
  const codes = (message: string) => findings(question(message)).map((found) => found.slice(-6));
  assert.equal(codes("Deploy {{env}} {{#why}}({{why}}){{/why}} {{{{x.y}}"), []);
  assert.equal(codes("Deploy {{ env }}"), ["MW2309"]);
  assert.equal(codes("Deploy {{env.name}}"), ["MW2040"]);
  assert.equal(codes("Deploy {{constructor}}"), ["MW2040"]);
  assert.equal(codes("Deploy {{#env}}"), ["MW2041"]);
  assert.equal(codes("Deploy {{env}}{{/env}}"), ["MW2042"]);
  assert.equal(codes("Deploy {env} {q}"), []);
});

test("a condition of Handlebars gets the one of manifests as a hint", () => {
  const { manifest } = loadManifest(
    "mcp.yaml",
    Buffer.from(
      'name: demo\nversion: 1.0.0\nprompts: [{name: p, description: x, arguments: [{name: a, description: x}], messages: [{role: user, content: {type: text, text: "{{#if a}}{{a}}{{/if}}"}}]}]\n',
    ),
  );
  const found = manifest && validateManifest(manifest).find(({ code }) => code === "MW2042");
  assert.match(found?.hint ?? "", /^write \{\{#name\}\}…\{\{\/name\}\} for what is there with/);
});

test("an argument in single braces is reported in a question", () => {
  const schema =
    "{type: object, additionalProperties: false, properties: {q: {type: string, description: Q}}}";
  const form = "requestedSchema: {type: object, properties: {ok: {type: boolean}}}";
  const found = (message: string) =>
    findings(
      `tools: [{name: a, description: x, inputSchema: ${schema}, elicitations: {sure: {message: "${message}", ${form}}}}]\n`,
    ).map((one) => one.slice(-6));
  assert.equal(found("Delete {q}?"), ["MW2309"]);
  assert.equal(found("Delete {{q}} or {q}?"), ["MW2309"]);
  assert.equal(found("Delete {{q}} {x}?"), []);
});

test("tools whose names become the same file or identifier are reported once, with a hint to rename one", () => {
  const [found, ...others] = diagnose(
    "name: demo\nversion: 1.0.0\ntools: [{name: get-user, description: x}, {name: get_user, description: x}]\n",
  );
  assert.is(found?.code, "MW2005");
  assert.match(found?.hint ?? "", /^rename one of them; "aliases" .*keeps the old name/);
  assert.equal(others, []);
  const copies = "tools: [{name: a, description: x}, {name: a, description: x}]\n";
  assert.equal(findings(copies), ["3:43 MW2004"]);
});

test("equal names are reported across resources and resource templates", () => {
  const yaml =
    "resources: [{uri: 'a://b', name: my_note, description: x}]\nresourceTemplates: [{uriTemplate: 'a://c/{id}', name: my-note, description: y}]\n";
  assert.equal(findings(yaml), ["4:55 MW2005"]);
});

test("a shared schema is used if something outside of `schemas` refers to it, directly or through others", () => {
  const schemas =
    'schemas: {A: {$ref: "#/schemas/B"}, B: {type: object}, C: {$ref: "#/schemas/C"}}\n';
  const unused = (yaml: string) =>
    messages(yaml).filter((message) => message.startsWith("the shared schema"));
  const tool = 'tools: [{name: a, description: x, outputSchema: {$ref: "#/schemas/A"}}]\n';
  assert.equal(unused(schemas + tool), ['the shared schema "C" is not used']);
});

test("warnings can be switched off and raised, errors cannot be lowered", () => {
  const prompt = "prompts: [{name: p}]\n";
  assert.equal(findings(prompt), ["3:18 MW2302"]);
  assert.equal(findings(`${prompt}diagnostics: {MW2302: off}\n`), []);
  const [raised] = diagnose(`name: demo\nversion: 1.0.0\n${prompt}diagnostics: {MW2302: error}\n`);
  assert.is(raised?.severity, "error");
  const lowered = "keywords: x\ndiagnostics: {MW1201: off}\n";
  assert.equal(findings(lowered), ["3:11 MW1201", "4:15 MW2070"]);
});

test("empty texts and lists that must not be empty are reported", () => {
  const lines = 'keywords: [""]\ntransports: []\n';
  assert.equal(messages(lines), [
    'item 1 of "keywords" must not be empty',
    '"transports" must not be empty',
  ]);
});

test("40 tools are within the budget, and the budget can be set", () => {
  const tools = (count: number) =>
    `tools:\n${Array.from({ length: count }, (_, index) => `  - {name: t${index}, description: d${index}}\n`).join("")}`;
  assert.equal(findings(tools(40)), []);
  assert.equal(findings(tools(41)), ["3:1 MW2304"]);
  assert.equal(findings(`${tools(41)}diagnostics: {toolBudget: 0}\n`), []);
});

test("loopback hosts are not public", () => {
  const bind = (host: string) => findings(`transports: [{type: http, host: "${host}"}]\n`);
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"]) {
    assert.equal(bind(host), [], host);
  }
  for (const host of ["0.0.0.0", "::", "example.com", "127.0.0.1.example.com", "1127.0.0.1"]) {
    assert.equal(bind(host), ["3:33 MW2051"], host);
  }
  const confirmed = "transports: [{type: http, host: 0.0.0.0, allowPublicBind: true}]\n";
  assert.equal(findings(confirmed), []);
  const authenticated = (scopes: string): string =>
    `transports: [{type: http, host: 0.0.0.0}]\ntools: [{name: a, description: Does a., scopes: ${scopes}}]\n`;
  assert.equal(findings(authenticated("[write]")), []);
  assert.equal(findings(authenticated("[]")), ["3:33 MW2051"]);
});

test("emoji, Persian and Hindi are not hidden text", () => {
  for (const text of ["👩‍💻 ⚠️ 🇩🇪 1️⃣", "می‌خواهم", "क्‍ष", "café", "日本語", "a\tb\nc"]) {
    assert.equal(findings(`title: ${JSON.stringify(text)}\n`), [], text);
  }
  for (const text of ["a\u200db", "a\u200bb", "\ufeffa", "a\u{e0100}", "x\ufe00\ufe01"]) {
    assert.equal(findings(`title: ${JSON.stringify(text)}\n`), ["3:8 MW2307"], text);
  }
});

test("free text may have control characters, names and keys may not", () => {
  assert.equal(findings('description: "a\\e[31mb\\u0085"\n'), []);
  assert.equal(findings('x-a: {"a\\eb": 1}\n'), ["3:7 MW2010"]);
});

test("versions and MIME types in other forms are refused", () => {
  const version = (text: string) =>
    diagnose(`name: demo\nversion: ${JSON.stringify(text)}\n`).length;
  for (const text of ["0.0.0", "1.2.3-rc.1+build.5", "10.20.30"]) assert.is(version(text), 0, text);
  for (const text of ["1", "01.2.3", "1.2.3-", "1.2.3-01", "v1.2.3", "1.2.3 "]) {
    assert.is(version(text), 1, text);
  }
  const mime = (text: string) =>
    findings(
      `resources: [{uri: "a://b", name: a, description: x, mimeType: ${JSON.stringify(text)}}]\n`,
    ).length;
  const good = [
    "text/plain",
    "text/html; charset=utf-8",
    "text/html;profile=mcp-app",
    'a/b; c="d e"',
  ];
  for (const text of good) assert.is(mime(text), 0, text);
  for (const text of ["text", "text/", "a/b/c", "text/html;", "text/plain\n"])
    assert.is(mime(text), 1, text);
});

test("no schema is reported as unused while a reference without a target may mean it", () => {
  const tool = (reference: string): string =>
    `schemas: {City: {type: string}, Road: {type: string}}\ntools: [{name: a, description: x, inputSchema: {type: object, properties: {city: {$ref: "${reference}"}}, additionalProperties: false}}]\n`;
  assert.equal(findings(tool("#/schemas/City")), ["3:33 MW2301"]);
  assert.equal(findings(tool("#/schemas/Citty")), ["4:89 MW3011"]);
  assert.equal(findings(tool("#/components/schemas/City")), ["4:89 MW3011"]);
  assert.equal(findings("schemas:\n  City:\n  type: string\n"), ["4:3 MW3001"]);
});

test("a resource that serves a file of secrets is reported, an example of one is not", () => {
  const codes = (file: string): string[] =>
    findings(`resources: [{uri: "a://b", name: a, description: x, file: ${file}}]\n`);
  const secrets =
    ".env .env.local .envrc config/.env keys/server.pem tls.KEY .ssh/id_rsa id_ed25519";
  for (const file of [...secrets.split(" "), ".npmrc", ".aws/config", "credentials.json"]) {
    assert.equal(codes(file), ["3:59 MW2310"], file);
  }
  for (const file of [".env.example", "docs/env.md", "keys.md", "monkey", ".environment"]) {
    assert.equal(codes(file), [], file);
  }
  const app = (ui: string): string[] =>
    findings(`tools: [{name: a, description: Returns a thing., ui: ${ui}}]\n`);
  assert.equal(app(".env"), ["3:54 MW2310"]);
  assert.equal(app("{file: .env}"), ["3:61 MW2310"]);
});

// In short, `large-lists.test.ts` stands for it, with a list of findings and a smaller stack.
longTest("a manifest with hundreds of thousands of findings is checked to the end", () => {
  const hidden = JSON.stringify(Array.from({ length: 150_000 }, () => "\u200b"));
  assert.is(findings(`x-hidden: ${hidden}\n`).length, 150_000);
});

const errorsOfTools = (tools: readonly JsonObject[]): readonly Diagnostic[] =>
  diagnose(JSON.stringify({ name: "demo", version: "1.0.0", tools })).filter(
    ({ severity }) => severity === "error",
  );

test("usual tools have no error", () => assert.equal(errorsOfTools(readOwnTools()), []));
testShared("the tools of a real server have no error", REAL_TOOLS, (folder) =>
  assert.equal(errorsOfTools(readTools(folder)), []),
);

test.run();
