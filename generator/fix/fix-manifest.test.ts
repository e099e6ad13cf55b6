import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "../2-validate/validate.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { withFixes } from "./edits.js";
import { FIX_CASES } from "../testing/harness/oracles/fix-cases.js";
import { fixManifest } from "./fix-manifest.js";

const validate = (text: string): Promise<Diagnostic[]> => {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  return Promise.resolve(
    manifest === undefined ? [...diagnostics] : [...diagnostics, ...validateManifest(manifest)],
  );
};
const fix = (text: string) => fixManifest("mcp.yaml", text, validate);

/** A manifest of these lines, with a name and a version where they have none. */
const manifestOf = (lines: string): string =>
  (/^name:/m.test(lines) ? "" : "name: demo\n") +
  (/^version:/m.test(lines) ? "" : "version: 1.0.0\n") +
  lines;

for (const { code, edit, before, after } of FIX_CASES) {
  test(`${code} is mended by this edit: ${edit}: ${before.slice(0, 60)}`, async () => {
    const text = manifestOf(before);
    const found = (await validate(text)).filter((one) => one.code === code);
    assert.is(found[0]?.mend?.edit, edit, JSON.stringify(await validate(text), null, 1));
    const { text: mended, fixed } = await fix(text);
    assert.is(mended, manifestOf(after));
    assert.ok(fixed.some((one) => one.code === code));
    assert.not.ok((await validate(mended)).some((one) => one.code === code));
    assert.is((await fix(mended)).text, mended, "a second time nothing changes");
  });
}

test("at least 40 codes have a fix, by at least 15 kinds of edit", () => {
  assert.ok(new Set(FIX_CASES.map(({ code }) => code)).size >= 40);
  assert.ok(new Set(FIX_CASES.map(({ edit }) => edit)).size >= 15);
});

test("comments, layout, line ends and quotes outside of an edit stay, and passes go on until nothing changes", async () => {
  const before = [
    "# mine",
    "name:   demo # the name",
    "version: 1.0.0",
    "tools:",
    "- name: 'a'",
    "  descripton: |",
    "    A text.   ",
    "  anotations: { readOnlyHnt: 'yes' } # sure",
    "",
  ].join("\r\n");
  const { text, fixed } = await fix(before);
  const after = before
    .replace("descripton", "description")
    .replace("anotations", "annotations")
    .replace("readOnlyHnt: 'yes'", "readOnlyHint: true");
  assert.is(text, after);
  assert.equal(
    fixed.map(({ code }) => code),
    ["MW1203", "MW1203", "MW1203", "MW1201"],
  );
});

test("a mistake that could be mended in two ways is not mended", async () => {
  for (const lines of [
    // Two names are as near.
    "exposure: {list: [tool_x], search: true}\ntools: [{name: tool_a, description: x}, {name: tool_b, description: x}]\n",
    // The values differ.
    "title: one\ntitle: two\n",
    // The name that would be written is taken.
    'tools: [{name: "a b", description: x}, {name: a_b, description: y}]\n',
    // An anchor repeats the text elsewhere.
    "tools:\n  - {name: a, description: x, inputSchema: &shared {type: objct}}\n  - {name: b, description: y, inputSchema: *shared}\n",
    // A shell would read it.
    "tools: [{name: a, description: x, exec: {command: ls | wc}}]\n",
    // Seconds or milliseconds.
    "limits: {timeout: 30}\n",
    // A list with too much behind it, or a text.
    "keywords: [a] b\n",
    "tools:\n  - name: a\n    description: x\n    exec: { command: [ls] -la }\n",
    "tools: [{name: a, description: x, inputSchema: {type: object, properties: {b: {type: string} [x]}}}]\n",
    "tools: [{name: a, description: x, inputSchema: {type: object, properties: {b: {enum: [a] [x]}}}}]\n",
    // A type that is misspelt, or a property that nobody may pass.
    "tools: [{name: a, description: x, inputSchema: {type: object, properties: {city: no}}}]\n",
  ]) {
    const text = manifestOf(lines);
    assert.is((await fix(text)).text, text);
  }
});

test("a fix is told with the places of its changes", async () => {
  const text = manifestOf("titel: Demo\n");
  const [found] = withFixes(new Map([["mcp.yaml", text]]), await validate(text));
  assert.equal(found?.fix, {
    edits: [{ file: "mcp.yaml", line: 3, column: 1, endLine: 3, endColumn: 6, newText: "title" }],
  });
  assert.not.ok(found !== undefined && "mend" in found);
});

test.run();
