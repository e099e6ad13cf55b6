import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../testing/harness/projects/generated-project.js";

/** Tests the reports about saved copies of edited files. */
const folder = await mkdtemp(join(tmpdir(), "mcpwright-copies-"));
test.after(() => rm(folder, { recursive: true }));
await writeFile(
  join(folder, "mcp.yaml"),
  "name: demo\nversion: 1.0.0\ntools: [{name: a, description: x}]\n",
);
await mcpwright(folder, "generate");

const section = (out: string): string =>
  /\nCopies of files that were edited or merged[^]*then delete them\.\n/.exec(out)?.[0] ?? "";

test("a project without saved copies gets no text about them", async () => {
  assert.is((await mcpwright(folder, "generate")).out, "nothing to do\n");
});

test("generate lists the copies that it saves, and says what to do with them", async () => {
  await appendFile(join(folder, "src/main.ts"), "// mine\n");
  await appendFile(join(folder, "src/generated/index.ts"), "// mine\n");
  const { status, out } = await mcpwright(folder, "generate", "--overwrite-edited");
  assert.is(status, 0);
  assert.is(
    section(out),
    "\nCopies of files that were edited or merged before they were replaced; version control leaves them out:\n" +
      "! src/generated/index.ts.saved\n! src/main.ts.saved\n" +
      "Take over what you need into a handler, `src/context.ts` or the manifest; then delete them.\n",
  );
});

test("generate and plan list the copies as long as they exist; check does not", async () => {
  for (const command of ["generate", "plan"]) {
    const { status, out } = await mcpwright(folder, command);
    assert.is(status, 0, command);
    assert.match(section(out), "! src/generated/index.ts.saved\n! src/main.ts.saved\n", command);
  }
  assert.equal(await mcpwright(folder, "check"), { status: 0, out: "", err: "" });
});

test("a file of a person with such a name is not listed, nor is a deleted copy", async () => {
  await rm(join(folder, "src/main.ts.saved"));
  await mkdir(join(folder, "src/drafts.saved"));
  await writeFile(join(folder, "notes.saved"), "mine");
  await writeFile(join(folder, "src/ideas.ts.saved2"), "mine");
  const { out } = await mcpwright(folder, "generate");
  assert.match(section(out), /: *\n! src\/generated\/index\.ts\.saved\nTake/);
  await rm(join(folder, "src/generated/index.ts.saved"));
  assert.is((await mcpwright(folder, "generate")).out, "nothing to do\n");
});

test.run();
