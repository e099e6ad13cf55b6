import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../testing/harness/projects/generated-project.js";

/** Tests the output of `check` in the log of a CI run. */
const folder = await mkdtemp(join(tmpdir(), "mcpwright-check-"));
test.after(() => rm(folder, { recursive: true }));

const manifest = (version: string, description = "x"): string =>
  `name: demo\nversion: ${version}\ntools:\n  - { name: a, description: ${description} }\n`;
await writeFile(join(folder, "mcp.yaml"), manifest("1.0.0"));
await mcpwright(folder, "generate");
const pristine = await readFile(join(folder, "src/main.ts"));

interface Found {
  readonly diagnostics: readonly { readonly code: string }[];
}
const codesOf = ({ diagnostics }: Found): string[] => diagnostics.map(({ code }) => code);

test("check prints nothing if nothing is pending", async () => {
  assert.equal(await mcpwright(folder, "check"), { status: 0, out: "", err: "" });
});

test("generate reports a version that npm raised and changes nothing; check prints nothing", async () => {
  const own = join(folder, "package.json");
  const before = await readFile(own, "utf8");
  const raised = before.replace('"version": "1.0.0"', '"version": "1.1.0"');
  await writeFile(own, raised);
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 0);
  assert.match(err, /^package\.json:3:3 {2}warning MW4014 .* version 1\.1\.0, .* reports 1\.0\.0/);
  assert.match(err, / → 3 \|   "version": "1\.1\.0",\n {5}\|   \^{9}\n/);
  assert.is(await readFile(own, "utf8"), raised);
  assert.equal(await mcpwright(folder, "check"), { status: 0, out: "", err: "" });
  const document = JSON.parse((await mcpwright(folder, "check", "--json")).out) as Found;
  assert.equal(codesOf(document), ["MW4014"]);

  await writeFile(join(folder, "mcp.yaml"), `${manifest("1.0.0")}diagnostics: { MW4014: off }\n`);
  assert.is((await mcpwright(folder, "generate")).err, "");
  await writeFile(own, before);
  await writeFile(join(folder, "mcp.yaml"), manifest("1.0.0"));
  await mcpwright(folder, "generate");
});

test("for an edited generated file, check says that generate would leave it as it is", async () => {
  await appendFile(join(folder, "src/main.ts"), "// mine\n");
  const { status, out, err } = await mcpwright(folder, "check");
  assert.is(status, 3);
  assert.is(
    out,
    "Needs a person; `mcpwright generate` would leave it as it is:\n  ! src/main.ts  (edited by hand)\n",
  );
  assert.match(err, /^src\/main\.ts:1:1 {2}error MW4001 .*\n {3}hint: `--overwrite-edited`/);
});

test("check lists the files that would be written, and separately the files that need a person", async () => {
  await writeFile(join(folder, "mcp.yaml"), manifest("1.0.0", "y"));
  const { status, out } = await mcpwright(folder, "check");
  assert.is(status, 3);
  assert.match(out, /^Not up to date; `mcpwright generate` would write:\n {2}~ SERVER\.md\n/);
  assert.match(out, /\nNeeds a person; .*\n {2}! src\/main\.ts {2}\(edited by hand\)\n$/);

  await writeFile(join(folder, "src/main.ts"), pristine);
  const pending = await mcpwright(folder, "check");
  assert.equal([pending.status, pending.err], [2, ""]);
  assert.not.match(pending.out, "Needs a person");
  const quiet = await mcpwright(folder, "check", "--quiet");
  assert.equal(quiet, { status: 2, out: "", err: "" });
});

test("check lists the lock if nothing else differs", async () => {
  await writeFile(join(folder, "mcp.yaml"), manifest("1.0.0"));
  const lock = join(folder, "mcpwright.lock.json");
  const text = await readFile(lock, "utf8");
  await writeFile(lock, text.replace(/"generator": ".*"/, '"generator": "0.0.1"'));
  assert.is((await mcpwright(folder, "check")).status, 0, "another version alone is no difference");

  await writeFile(lock, text.replace('"version": "1.0.0"', '"version": "0.9.0"'));
  const { status, out } = await mcpwright(folder, "check");
  assert.is(status, 2);
  assert.is(out, "Not up to date; `mcpwright generate` would write:\n  ~ mcpwright.lock.json\n");
});

test.run();
