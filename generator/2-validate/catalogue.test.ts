import { test } from "uvu";
import * as assert from "uvu/assert";
import { compileBytes } from "../cli/compile-manifest.js";
import { explainedDiagnostics } from "../model/catalogue/explanations.js";
import { allEntries } from "../model/catalogue/index.js";
import type { Diagnostic } from "../model/diagnostic.js";

/** Manifests that provoke one code each and no other, for codes whose explanation cannot have such an example. */
const WHOLE_FILES: Readonly<Record<string, string | Buffer>> = {
  MW1004: Buffer.alloc(8 * 1024 * 1024 + 1, "# x\n"),
  MW1005: Buffer.from("\uFEFFname: demo\n", "utf16le"),
  MW1006: Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]),
  MW1007: "name: \u001b[2J\n",
  MW1021: `a: ${"[".repeat(64)}${"]".repeat(64)}\n`,
  MW1022: Array.from({ length: 10_001 }, (_, index) => `k${index}:\n`).join(""),
  MW1025: "\n".repeat(2_500_001),
};

/** Such manifests, without the lines that every manifest needs. */
const AFTER_NAME_AND_VERSION: Readonly<Record<string, string>> = {
  MW2024: `resources: [{uri: 'a://${"b".repeat(2048)}', name: x, description: x}]`,
  MW2043: prompt("{{#who}}".repeat(17) + "{{/who}}".repeat(17)),
  MW3033: tool(`{p: {type: string, pattern: "^${"ab".repeat(3000)}$"}}`),
  MW3040: tool(
    '{p: {$ref: "#/$defs/d19"}}',
    referring(20, (last) => `anyOf: [${last}, ${last}]`),
  ),
  MW3041: tool(
    '{p: {$ref: "#/$defs/d399"}}',
    referring(400, (last) => `allOf: [${last}]`),
  ),
  MW3042: tool(`{${Array.from({ length: 1_001 }, (_, index) => `p${index}: {}`).join(", ")}}`),
};

/** Codes whose example is a whole manifest. Other examples follow name and version. */
const WHOLE_EXAMPLES = [
  "MW1009",
  "MW1010",
  "MW1011",
  "MW1202",
  "MW2007",
  "MW2008",
  "MW2010",
  "MW2200",
  "MW2216",
];

function prompt(text: string): string {
  const content = JSON.stringify({ type: "text", text });
  return `prompts: [{name: p, description: x, arguments: [{name: who}], messages: [{role: user, content: ${content}}]}]`;
}

function tool(properties: string, definitions = "{}"): string {
  return `tools: [{name: a, description: x, inputSchema: {type: object, properties: ${properties}, $defs: ${definitions}}}]`;
}

/** Definitions, each of which has the one before it under `keyword`. */
function referring(count: number, keyword: (reference: string) => string): string {
  const names = Array.from({ length: count }, (_, index) => `d${index}`);
  const bodies = names.map((name, index) =>
    index === 0 ? `${name}: {}` : `${name}: {${keyword(`{$ref: "#/$defs/d${index - 1}"}`)}}`,
  );
  return `{${bodies.join(", ")}}`;
}

/** Codes of the file system, which the test of the command line provokes, and of included files, which `load-parts.test.ts` does. */
const OF_FILES = ["MW1001", "MW1002", "MW1003", "MW1031", "MW1032", "MW1033", "MW1034"];

async function diagnose(content: string | Buffer): Promise<readonly Diagnostic[]> {
  const read = { bytes: Buffer.from(content as string), diagnostics: [] };
  return (await compileBytes("mcp.yaml", read, { flags: new Set() })).diagnostics;
}

/** Every code of a manifest with a manifest that provokes it: its own example, if that is a manifest. */
const fixtures = new Map<string, string | Buffer>(
  explainedDiagnostics()
    .filter(({ code }) => /^MW[123]/.test(code) && !OF_FILES.includes(code))
    .map(({ code, example }): [string, string | Buffer] => {
      const isWhole = code in WHOLE_FILES || WHOLE_EXAMPLES.includes(code);
      const lines = AFTER_NAME_AND_VERSION[code] ?? `${example}\n`;
      return [
        code,
        WHOLE_FILES[code] ?? (isWhole ? lines : `name: demo\nversion: 1.0.0\n${lines}`),
      ];
    }),
);

for (const [code, content] of fixtures) {
  test(`${code} has a manifest that provokes it and no other code`, async () => {
    const found = await diagnose(content);
    assert.equal(
      found.map((diagnostic) => diagnostic.code),
      [code],
      found.map(({ message }) => message).join("\n"),
    );
  });
}

test("every fixture belongs to an existing code", () => {
  const named = [...Object.keys(WHOLE_FILES), ...Object.keys(AFTER_NAME_AND_VERSION)];
  assert.equal(
    [...named, ...WHOLE_EXAMPLES].filter((code) => !fixtures.has(code)),
    [],
  );
});

test("every code is unique and has an explanation", () => {
  const codes = allEntries.map(({ code }) => code);
  assert.equal([...new Set(codes)], codes);
  for (const { code, title, cause, example, fix } of explainedDiagnostics()) {
    assert.match(code, /^MW[1-6][0-9]{3}$/);
    for (const text of [title, cause, example, fix]) {
      assert.ok(text.length > 0, code);
    }
  }
});

test.run();
