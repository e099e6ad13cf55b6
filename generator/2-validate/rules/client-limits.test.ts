import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { validateManifest } from "../validate.js";

/** Warnings of what the protocol allows and clients refuse or rewrite. */

function warnings(tools: string): readonly Diagnostic[] {
  const text = `name: demo\nversion: 1.0.0\ntools:\n${tools}`;
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.equal(diagnostics, []);
  if (manifest === undefined) throw new Error("not loaded");
  return validateManifest(manifest).filter(({ code }) => /^MW232[01]$/.test(code));
}

const tool = (name: string, properties = ""): string =>
  `  - name: ${name}\n    description: Does ${name}.\n    inputSchema: {type: object, properties: {${properties}}, additionalProperties: false}\n`;

test("names of tools with dots get one warning, which says who refuses and who rewrites them", () => {
  assert.equal(warnings(tool("a_b") + tool("c-d")), []);
  const found = warnings(
    tool("a") + ["b.c", "d.e", "f.g", "h.i"].map((name) => tool(name)).join(""),
  );
  assert.equal(
    found.map(({ code, severity, line, message }) => [code, severity, line, message]),
    [
      [
        "MW2320",
        "warning",
        7,
        '4 tool names have a dot, which Claude Desktop, Codex and Copilot CLI refuse and VS Code rewrites: "b.c", "d.e", "f.g" and 1 more',
      ],
    ],
  );
});

test("property names that model APIs refuse get a warning where they stand, for each tool", () => {
  const described = (name: string): string => `"${name}": {type: string, description: x}`;
  const allowed = ["a", "a.b", "A_1-b", "x".repeat(64)].map(described).join(", ");
  assert.equal(warnings(tool("a", allowed)), []);
  for (const name of [
    "$.xgafv",
    "uids[]",
    "filter[name]",
    "@type",
    "a b",
    "日付",
    "x".repeat(65),
  ]) {
    const [found, ...others] = warnings(tool("a", `${allowed}, ${described(name)}`));
    assert.equal([found?.code, found?.line, others.length], ["MW2321", 6, 0], name);
    assert.ok(found?.message.includes(`"${name.slice(0, 50)}`), found?.message);
    assert.match(found?.message ?? "", /^Anthropic's API, Claude Code and Amazon Bedrock refuse/);
  }
  const nested = `o: {type: object, description: x, properties: {${described("a[]")}}}`;
  assert.equal(warnings(tool("a", nested)), [], "within a property they are taken");
  const behind = `  - {name: a, description: x, inputSchema: {type: object, allOf: [{properties: {${described("b[]")}}}]}}\n`;
  assert.equal(
    warnings(behind).map(({ code }) => code),
    ["MW2321"],
  );
});

test.run();
