import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { allEntries } from "../model/catalogue/index.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { validateManifest } from "./validate.js";

/** Manifests that provoke one code each, and no other. */
const WHOLE_FILES: Readonly<Record<string, string | Buffer>> = {
  MW1004: Buffer.alloc(8 * 1024 * 1024 + 1, "# x\n"),
  MW1005: Buffer.from("\uFEFFname: demo\n", "utf16le"),
  MW1006: Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]),
  MW1007: "name: \u001b[2J\n",
  MW1008: "name: [a\n",
  MW1009: "- name: demo\n",
  MW1010: "name: a\n---\nname: b\n",
  MW1011: "%YAML 1.1\n---\nname: no\n",
  MW1012: "name: !a b\n",
  MW1013: "a: &a {}\nb: {<<: *a}\n",
  MW1014: "name: a\nname: b\n",
  MW1015: "1: a\n",
  MW1016: "? [a]\n: b\n",
  MW1017: "__proto__: {}\n",
  MW1018: "a: *b\n",
  MW1019: "a: &a [*a]\n",
  MW1020: `a: &a [${"1,".repeat(9999)}]\nb: [${"*a,".repeat(60)}]\n`,
  MW1021: `a: ${"[".repeat(64)}${"]".repeat(64)}\n`,
  MW1022: Array.from({ length: 10_001 }, (_, index) => `k${index}:\n`).join(""),
  MW1023: "a: .nan\n",
  MW1025: "\n".repeat(2_000_001),
  MW1202: "name: demo\nversion: 1.10\n",
  MW1204: "name: demo\n",
  MW2007: "name: Demo\nversion: 1.0.0\n",
  MW2008: 'name: demo\nversion: "1.0"\n',
};

/** The same, after the lines that every manifest needs. */
const AFTER_NAME_AND_VERSION: Readonly<Record<string, string>> = {
  MW1024: "x-limit: 9223372036854775807",
  MW1201: "keywords: demo",
  MW1203: "tool: []",
  MW1205: "icons: [{src: 'https://a.example/i.png', theme: grey}]",
  MW1206: "env: {MY KEY: {}}",
  MW1207: "tools: [{name: a, description: ''}]",
  MW1208: "transports: [{type: http, port: 70000}]",
  MW1209: "transports: []",
  MW1210: "pageSize: 50",
  MW1211: "manifestVersion: 2",
  MW2001: "tools: [{name: get forecast, description: x}]",
  MW2002: "tools: [{name: '', description: x}]",
  MW2003: "tools: [{name: constructor, description: x}]",
  MW2004: "tools: [{name: a, description: x}, {name: a, description: y}]",
  MW2005: "tools: [{name: get-user, description: x}, {name: get_user, description: y}]",
  MW2006: "prompts: [{name: p, description: x, arguments: [{name: a}, {name: a}]}]",
  MW2009: "tools: [{name: a, description: x, _meta: {-key-: 1}}]",
  MW2010: 'resources: [{uri: "a://b", name: "a\\eb", description: x}]',
  MW2011: 'title: "a\\0b"',
  MW2012: 'title: "a\\ud800b"',
  MW2020: "resources: [{uri: ../help, name: help, description: x}]",
  MW2021: "resources: [{uri: 'javascript:a', name: help, description: x}]",
  MW2022: "resources: [{uri: 'https://a.example', name: help, description: x}]",
  MW2023:
    "resources: [{uri: 'a://b', name: x, description: x}, {uri: 'a://b', name: y, description: y}]",
  MW2024: `resources: [{uri: 'a://${"b".repeat(2048)}', name: x, description: x}]`,
  MW2025: "resources: [{uri: 'a://b', name: x, description: x, mimeType: markdown}]",
  MW2026: "resources: [{uri: 'a://b', name: x, description: x, text: a, blob: aGVsbG8=}]",
  MW2027: "resources: [{uri: 'a://b', name: x, description: x, blob: hello!}]",
  MW2028: "resources: [{uri: 'a://b', name: x, description: x, file: ../x}]",
  MW2029: "websiteUrl: 'ftp://a.example'",
  MW2030: "resourceTemplates: [{uriTemplate: 'a://x{', name: x, description: x}]",
  MW2031: "resourceTemplates: [{uriTemplate: 'a://{x:3}', name: x, description: x}]",
  MW2032: "resourceTemplates: [{uriTemplate: 'a://{x-y}', name: x, description: x}]",
  MW2033: "resourceTemplates: [{uriTemplate: 'a://{x}/{x}', name: x, description: x}]",
  MW2034: "resourceTemplates: [{uriTemplate: 'a://{x}-{y}', name: x, description: x}]",
  MW2035:
    "resourceTemplates: [{uriTemplate: 'a://{x}', name: x, description: x, complete: {y: [a]}}]",
  MW2040: prompt("{{other}}"),
  MW2041: prompt("{{#who}}"),
  MW2042: prompt("{{/who}}"),
  MW2043: prompt("{{#who}}".repeat(17) + "{{/who}}".repeat(17)),
  MW2050: "transports: [{type: stdio}, {type: stdio}]",
  MW2051: "transports: [{type: http, host: 0.0.0.0}]",
  MW2052: "transports: [{type: http, allowedOrigins: ['*']}]",
  MW2053: "transports: [{type: http, allowedOrigins: [a.example]}]",
  MW2054: "transports: [{type: http, path: /a, health: /a}]",
  MW2060: "env: {COUNT: {type: number, default: many}}",
  MW2070: "diagnostics: {MW1203: off}",
  MW2071: "diagnostics: {MW9999: off}",
  MW2301: "schemas: {City: {type: string}}",
  MW2302: "prompts: [{name: p}]",
  MW2303: "tools: [{name: a, description: x}, {name: b, description: x}]",
  MW2304:
    "diagnostics: {toolBudget: 1}\ntools: [{name: a, description: x}, {name: b, description: y}]",
  MW2305: "env: {API_KEY: {secret: true, default: abc123}}",
  MW2306: 'title: "safe\\u202E evil"',
  MW2307: 'title: "Adds \\U000E0049 numbers"',
  MW2308: "tools: [{name: a, description: x, execution: {}}]",
  MW2309: prompt("{{ who }}"),
};

function prompt(text: string): string {
  const content = JSON.stringify({ type: "text", text });
  return `prompts: [{name: p, description: x, arguments: [{name: who}], messages: [{role: user, content: ${content}}]}]`;
}

/** Codes of the file system, which the test of `readManifest` provokes. */
const OF_FILES = ["MW1001", "MW1002", "MW1003"];

function diagnose(content: string | Buffer): readonly Diagnostic[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(content as string));
  const found = manifest === undefined ? [] : validateManifest(manifest).diagnostics;
  return [...diagnostics, ...found];
}

const fixtures = new Map<string, string | Buffer>(Object.entries(WHOLE_FILES));
for (const [code, lines] of Object.entries(AFTER_NAME_AND_VERSION)) {
  fixtures.set(code, `name: demo\nversion: 1.0.0\n${lines}\n`);
}

for (const [code, content] of fixtures) {
  test(`${code} is provoked alone`, () => {
    const found = diagnose(content);
    assert.equal(
      found.map((diagnostic) => diagnostic.code),
      [code],
      found.map(({ message }) => message).join("\n"),
    );
  });
}

test("every code of loading and validation has a fixture", () => {
  const codes = allEntries.map(({ code }) => code).filter((code) => /^MW[12]/.test(code));
  assert.equal(
    codes.filter((code) => !fixtures.has(code) && !OF_FILES.includes(code)),
    [],
  );
});

test("codes are unique, and explained", () => {
  const codes = allEntries.map(({ code }) => code);
  assert.equal([...new Set(codes)], codes);
  for (const { code, title, explanation } of allEntries) {
    assert.match(code, /^MW[0-9]{4}$/);
    for (const text of [title, explanation.cause, explanation.example, explanation.fix]) {
      assert.ok(text.length > 0, code);
    }
  }
});

test.run();
