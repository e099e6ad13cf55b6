import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot, readPackaged } from "../../../text/package-root.js";
import { testProject } from "../../harness/projects/built-project.js";
import { FixtureProject } from "../../harness/projects/fixture-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { longTest } from "../../harness/runner/test-length.js";

/** The server for those who write manifests, as the project that `examples/author` is. */

const example = fileURLToPath(new URL("examples/author/", packageRoot));
const fixture = new FixtureProject("author");

test.after(() => fixture.remove());

// In short, `author-server.test.ts` calls the same server as it is published.
longTest("the tests of examples/author pass", async () => {
  const folder = await copyUserFiles(example, "author");
  fixture.add(folder);
  assert.is((await mcpwright(folder, "generate", "--quiet")).status, 0);
  await installShared(folder);
  assert.match(await testProject(folder), /manifest\.test\.js[^]*?\(1 \/ 1\)/);
});

test("the examples that examples/author serves are the manifests with which `init` begins", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-starters-"));
  try {
    for (const template of ["minimal", "full", "http", "sql", "exec", "directory"]) {
      const settings = ["--template", template, "--name", "demo", "--transport", "stdio"];
      await mcpwright(folder, "init", template, "--only-manifest", ...settings);
      const made = await readFile(join(folder, template, "mcp.yaml"), "utf8");
      assert.is(readFileSync(join(example, "manifests", `${template}.yaml`), "utf8"), made);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

interface Field {
  readonly section: string;
  readonly name: string;
}

async function fieldsAbout(...words: string[]): Promise<readonly string[]> {
  const { status, out } = await mcpwright(example, "reference", "--json", ...words);
  assert.is(status, 0);
  const { fields } = JSON.parse(out) as { fields: readonly Field[] };
  return fields.map(({ section, name }) => `${section}.${name}`);
}

test("the reference is found by fields, by kinds of mappings and by words", async () => {
  assert.equal(await fieldsAbout("confirm"), ["tool.confirm"]);
  assert.equal(await fieldsAbout("Tool.confirm"), ["tool.confirm"]);
  assert.equal(await fieldsAbout("execExample"), [
    "execExample.stdout",
    "execExample.stderr",
    "execExample.status",
  ]);
  assert.ok((await fieldsAbout("name")).includes("tool.name"), "each field of that name");
  assert.ok((await fieldsAbout("retry", "upstream")).includes("upstream.retries"));
  assert.ok((await fieldsAbout("ask the user before a call")).includes("tool.confirm"));
  assert.equal(await fieldsAbout("zebra"), []);
});

test("the reference has every section of REFERENCE.md", async () => {
  const { out } = await mcpwright(example, "reference", "--json");
  const { sections } = JSON.parse(out) as { sections: readonly { readonly name: string }[] };
  const page = readPackaged("schemas/REFERENCE.md");
  const tables = /^## `?([^`\n]+)`?\n(?:(?!## ).*\n)*?\| Name \| Type \| Required \|/gm;
  const headings = [...page.matchAll(tables)].map(([, name]) => name);
  assert.equal(
    sections.map(({ name }) => name),
    headings,
  );
  const shown = await mcpwright(example, "reference", "tool.confirm");
  assert.match(shown.out, /^tool\.confirm \(string, at least 1 character\)\n {4}The question/);
});

test.run();
