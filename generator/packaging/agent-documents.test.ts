import { existsSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "../2-validate/validate.js";
import { commands } from "../cli/specification.js";
import { packageRoot, readPackaged } from "../text/package-root.js";
import { agentDocuments } from "./agent-documents.js";

const documents = agentDocuments();

test("the skill has a name and a description that clients accept, and every command", () => {
  const skill = documents.get("dist/skills/mcpwright/SKILL.md") ?? "";
  const [, name, description = ""] =
    /^---\nname: ([a-z-]{1,64})\ndescription: (.*)\n---\n/.exec(skill) ?? [];
  assert.is(name, "mcpwright", "it is that of its folder");
  assert.ok(description.length > 100 && description.length <= 1024);
  for (const { usage } of Object.values(commands)) assert.match(skill, `\`mcpwright ${usage}\``);
  assert.not.match(skill, "<!--");
});

test("the manifest in the skill is valid, without a warning", () => {
  const [, text = ""] =
    /```yaml\n([^]*?)```/.exec(documents.get("dist/skills/mcpwright/SKILL.md") ?? "") ?? [];
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  assert.equal([...diagnostics, ...validateManifest(manifest)], []);
});

test("the outline links to files that the package has", () => {
  const outline = documents.get("dist/llms.txt") ?? "";
  assert.match(outline, /^# mcpwright\n\n> .+\n\n/);
  const links = [...outline.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  assert.ok(links.length >= 8);
  const { files } = JSON.parse(readPackaged("package.json")) as { files: string[] };
  for (const link of links) {
    const path = new URL(link, new URL("dist/llms.txt", packageRoot));
    assert.ok(documents.has(`dist/${link}`) || existsSync(path), link);
    const packed = path.href.slice(packageRoot.href.length);
    const isPacked = [...files, "README.md", ...documents.keys()].some(
      (pattern) => packed === pattern || packed.startsWith(pattern.replace(/\*.*$/, "")),
    );
    assert.ok(isPacked, packed);
  }
});

test.run();
