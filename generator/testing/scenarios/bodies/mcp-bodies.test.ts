import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { testProjects } from "../../harness/projects/built-project.js";
import { withoutHeader } from "../../harness/projects/fixture-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

/** A project whose items another MCP server has, from its first generation to its own code and back. */
const fixture = fileURLToPath(new URL("generator/testing/fixtures/mcp-bodies", packageRoot));
const folder = await mkdtemp(join(tmpdir(), "mcpwright-mcp-bodies-"));
/** The project as it is generated first. */
const former = `${folder}-former`;
test.after(async () => {
  for (const one of [folder, former]) await rm(one, { recursive: true, force: true });
});

async function run(...argv: string[]): Promise<string> {
  const { status, out, err } = await mcpwright(folder, ...argv);
  assert.is(status, argv[0] === "plan" ? 2 : 0, out + err);
  return out;
}

const read = (path: string): Promise<string> => readFile(join(folder, path), "utf8");
const ITEMS = [
  "tools/first-lines",
  "tools/search",
  "resources/help",
  "resources/note",
  "prompts/sum-up",
];

test("the generated code that forwards calls looks hand-written", async () => {
  await cp(fixture, folder, { recursive: true });
  await run("generate");
  assert.is(
    withoutHeader(await read("src/generated/bodies/tools/first-lines.ts")),
    `import type { ToolHandler } from "../../index.ts";

/** The tool \`read_text_file\` of the MCP server \`files\`. */
export const firstLines: ToolHandler<"first_lines"> = async ({ lines, tag, note }, ctx) => {
  return ctx.servers.files.callTool("read_text_file", {
    head: lines,
    options: { fixed: 1, tags: [...(tag === undefined ? [] : [tag])] },
    path: \`notes/\${note}.md\`,
  });
};
`,
  );
  const document = await read("SERVER.md");
  assert.match(document, "The MCP server `files` answers: `read_text_file`.");
  assert.match(document, "The MCP server `far` answers: `summary`.");
  assert.match(await read(".env.example"), "FAR_TOKEN=");
});

test("its tests pass, and a person can take over the code, which compiles, and can give it back", async () => {
  await cp(folder, former, { recursive: true });
  const whole = await read("mcp.yaml");
  const formerCode = await Promise.all(
    ITEMS.map((name) => read(`src/generated/bodies/${name}.ts`)),
  );
  const left = whole
    .replace(/ {4}mcp: \{upstream.*\n/g, "")
    .replace(/ {4}mcp:\n(?: {6}.*\n)+/g, "");
  await writeFile(join(folder, "mcp.yaml"), left);
  const plan = await run("plan");
  for (const name of ITEMS) {
    assert.match(
      plan,
      `+ src/${name}.ts  (what the manifest said that it does, yours from now on)`,
    );
  }
  await run("generate");
  for (const [index, name] of ITEMS.entries()) {
    const own = withoutHeader(formerCode[index] ?? "").replace(
      "../../index.ts",
      "../generated/index.ts",
    );
    assert.is(await read(`src/${name}.ts`), own);
  }
  await Promise.all([former, folder].map(installShared));
  // Tests of a person's code send requests to the other servers, which are not here: it compiles.
  const onlyStarters = [folder];
  const [first = ""] = await testProjects([former, folder], { onlyStarters });
  assert.match(first, /generated\/server\.test\.js[^]*?\((\d+) \/ \1\)/);
  assert.match(await run("generate"), "nothing to do");
  await run("check");
  await writeFile(join(folder, "mcp.yaml"), whole);
  await run("generate");
  for (const name of ITEMS) assert.match(await read(`src/removed/${name}.ts`), "ctx.servers");
});

test.run();
