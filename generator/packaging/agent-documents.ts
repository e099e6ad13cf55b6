import { mkdir, writeFile } from "node:fs/promises";
import { commands } from "../cli/specification.js";
import { explainedDiagnostics } from "../model/catalogue/explanations.js";
import { packageRoot, readPackaged } from "../text/package-root.js";

/** The files of the package that coding agents read, by their paths in it. */
export function agentDocuments(): ReadonlyMap<string, string> {
  return new Map([
    ["dist/llms.txt", outline()],
    ["dist/skills/mcpwright/SKILL.md", skill()],
  ]);
}

/** Writes the files that coding agents read into the package. */
export async function writeAgentDocuments(): Promise<void> {
  for (const [path, text] of agentDocuments()) {
    const url = new URL(path, packageRoot);
    await mkdir(new URL(".", url), { recursive: true });
    await writeFile(url, text);
  }
}

/** The skill, whose table of commands is that of `--help`. */
function skill(): string {
  const rows = Object.values(commands).map(
    ({ usage, summary }) => `| \`mcpwright ${usage}\` | ${summary} |`,
  );
  const table = ["| Command | Does |", "| --- | --- |", ...rows].join("\n");
  return readPackaged("generator/packaging/agents/SKILL.md").replace(
    "<!-- commands -->",
    () => table,
  );
}

/** The outline of the package in the form of https://llmstxt.org: a title, a summary, and lists of links. */
function outline(): string {
  const { description } = JSON.parse(readPackaged("package.json")) as { description: string };
  const subjects = new Map<string, string[]>();
  for (const { code, title } of explainedDiagnostics()) {
    const block = code.slice(0, "MW1".length);
    subjects.set(block, [...(subjects.get(block) ?? []), title]);
  }
  const codes = [...subjects].map(
    ([block, titles]) => `${block}xxx (${titles.length}, such as "${titles[0]}")`,
  );
  return `# mcpwright

> ${description}

\`mcp.yaml\` is written by people and agents; \`mcpwright generate\` makes the rest. Links are relative to this file.

## Documents

- [How to make and change a server](skills/mcpwright/SKILL.md): the steps, the commands and the exit statuses
- [The manifest, field by field](../schemas/manifest.schema.json): every key with its type, default and meaning
- [README](../README.md): what there is, with examples
- [Changes](../CHANGELOG.md): what people notice, by version

## Problems

- [Codes of problems](../generator/model/catalogue/): cause, example and fix of each, as \`mcpwright explain CODE\` prints them: ${codes.join(", ")}
- [Rules for changes](../generator/4-compare/catalogue/): what callers notice, as \`plan\` and \`diff\` report it
- [JSON that \`generate\` prints](../schemas/generate-report.schema.json), [\`validate\`](../schemas/validate-report.schema.json), and [\`record\`](../schemas/record-report.schema.json)
`;
}
