import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Diagnostic } from "../../model/diagnostic.js";
import { mcpwright } from "../../testing/harness/projects/generated-project.js";

const root = await mkdtemp(join(tmpdir(), "mcpwright-fix-"));
test.after(() => rm(root, { recursive: true }));

const WRONG = "\uFEFFname: demo # mine\r\nversion: 1.10\r\ntitel: 'Demo'\r\n";
const MENDED = "\uFEFFname: demo # mine\r\nversion: \"1.10.0\"\r\ntitle: 'Demo'\r\n";

async function folderWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(root, "work-"));
  await writeFile(join(folder, "mcp.yaml"), text, { mode: 0o640 });
  return folder;
}

const manifestIn = (folder: string): Promise<string> => readFile(join(folder, "mcp.yaml"), "utf8");

test("validate --fix mends the manifest, keeps its line ends, mark, mode and links, and says what it did", async () => {
  const folder = await folderWith(WRONG);
  await symlink("mcp.yaml", join(folder, "linked.yaml"));
  const { status, out, err } = await mcpwright(folder, "validate", "--fix", "linked.yaml");
  assert.equal([status, err], [0, ""]);
  assert.match(
    out,
    /^Fixed 2 problems in linked\.yaml:\n {2}2:10 {2}MW1202 {2}.*\n {2}3:1 {2}MW1203 {2}.*\nlinked\.yaml is valid/,
  );
  assert.is(await manifestIn(folder), MENDED);
  assert.is((await stat(join(folder, "mcp.yaml"))).mode & 0o777, 0o640);
  assert.equal((await readdir(folder)).sort(), ["linked.yaml", "mcp.yaml"]);
  const again = await mcpwright(folder, "validate", "--fix");
  assert.not.match(again.out, "Fixed");
});

test("--dry-run shows the difference and writes nothing, and what remains is reported", async () => {
  const folder = await folderWith(WRONG);
  const { status, out, err } = await mcpwright(folder, "validate", "--fix", "--dry-run");
  assert.is(status, 1);
  assert.match(out, "\n-titel: 'Demo'");
  assert.match(out, "\n+title: 'Demo'");
  assert.match(out, "Would fix 2 problems in mcp.yaml:\n");
  assert.match(err, "MW1203");
  assert.is(await manifestIn(folder), WRONG);
  const alone = await mcpwright(folder, "validate", "--dry-run");
  assert.match(alone.err, "MW5003  --dry-run needs --fix");
});

test("--dry-run names only files with something to fix, and the manifest where there is nothing", async () => {
  const valid = "name: demo\nversion: 1.0.0\n";
  const folder = await folderWith(`${valid}include: [part.yaml]\n`);
  const part = "tools: [{name: a, description: Does a.}]\n";
  await writeFile(join(folder, "part.yaml"), part.replace("description", "descripton"));
  const { out } = await mcpwright(folder, "validate", "--fix", "--dry-run");
  assert.match(out, "Would fix 1 problem in part.yaml:\n");
  assert.not.match(out, "mcp.yaml:");
  assert.not.match(out, "fix 0");
  await writeFile(join(folder, "part.yaml"), part);
  const nothing = await mcpwright(folder, "validate", "--fix", "--dry-run");
  assert.match(nothing.out, "Would fix 0 problems in mcp.yaml.\n");
});

test("what a mistake of an included file has hidden in the manifest is mended in the same run", async () => {
  const folder = await folderWith(
    "name: demo\nversion: 1.0.0\ntitel: Demo\ninclude: [part.yaml]\n",
  );
  const part =
    "tools: [{name: a, description: Does a., annotations: {readOnlyHint: true, readOnlyHint: true}}]\n";
  await writeFile(join(folder, "part.yaml"), part);
  const { status, out, err } = await mcpwright(folder, "validate", "--fix");
  assert.equal([status, err], [0, ""]);
  assert.match(
    out,
    /Fixed 1 problem in part\.yaml:\n {2}1:\d+ {2}MW1014 .*\nFixed 1 problem in mcp\.yaml:\n {2}3:1 {2}MW1203/,
  );
  assert.match(await manifestIn(folder), "title: Demo");
});

test("--json and SARIF have the edits, and --json what was mended", async () => {
  const folder = await folderWith("name: demo\nversion: 1.0.0\ntitel: Demo\n");
  const plain = await mcpwright(folder, "validate", "--json");
  const [found] = (JSON.parse(plain.out) as { diagnostics: Diagnostic[] }).diagnostics;
  const place = { line: 3, column: 1, endLine: 3, endColumn: 6 };
  assert.equal(found?.fix, { edits: [{ file: "mcp.yaml", ...place, newText: "title" }] });
  assert.not.match(plain.out, '"mend"');
  const sarif = await mcpwright(folder, "validate", "--format", "sarif");
  const { runs } = JSON.parse(sarif.out) as { runs: { results: { fixes: unknown }[] }[] };
  assert.equal(runs[0]?.results[0]?.fixes, [
    {
      artifactChanges: [
        {
          artifactLocation: { uri: "mcp.yaml", uriBaseId: "%SRCROOT%" },
          replacements: [
            {
              deletedRegion: { startLine: 3, startColumn: 1, endLine: 3, endColumn: 6 },
              insertedContent: { text: "title" },
            },
          ],
        },
      ],
    },
  ]);
  const fixing = await mcpwright(folder, "validate", "--fix", "--json");
  const report = JSON.parse(fixing.out) as { ok: boolean; fixed: Diagnostic[] };
  assert.is(report.ok, true);
  assert.equal(
    report.fixed.map(({ code }) => code),
    ["MW1203"],
  );
});

test("generate --fix mends the manifest and makes the project from it, with --dry-run neither", async () => {
  const folder = await folderWith("name: demo\nversion: 1.0.0\ntitel: Demo\n");
  const dry = await mcpwright(folder, "generate", "--fix", "--dry-run");
  assert.match(dry.out, "+title: Demo");
  assert.equal(await readdir(folder), ["mcp.yaml"]);
  const { status, out, err } = await mcpwright(folder, "generate", "--fix");
  assert.is(status, 0, err);
  assert.match(out, "Fixed 1 problem in mcp.yaml:\n  3:1  MW1203  ");
  assert.match(await readFile(join(folder, "README.md"), "utf8"), "# Demo\n");
});

test.run();
