import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { explainedRules } from "../4-compare/catalogue/explanations.js";
import type { Change } from "../model/plan.js";
import { mcpwright } from "../testing/harness/projects/generated-project.js";
import { testUnless } from "../testing/harness/runner/skipped-test.js";

/** Tests the reports of `plan`, `diff` and `explain` about semantic changes that need more than two files. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-semantic-"));
test.after(() => rm(root, { recursive: true }));

function manifest(days: string, more = ""): string {
  return `name: demo
version: 1.0.0
tools:
  - name: forecast
    description: Daily forecast.
    inputSchema:
      type: object
      properties: { days: ${days} }
      additionalProperties: false
    outputSchema: { type: object, properties: { high: { type: number } } }
${more}`;
}

async function project(name: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  await writeFile(join(folder, "mcp.yaml"), manifest("{ type: integer }"));
  return folder;
}

async function plannedChanges(folder: string): Promise<Change[]> {
  const { out } = await mcpwright(folder, "plan", "--json");
  return (JSON.parse(out) as { changes: Change[] }).changes;
}

test("plan names the edited handlers whose types change, and generate leaves them alone", async () => {
  const folder = await project("handlers");
  await mcpwright(folder, "generate");
  const handler = join(folder, "src/tools/forecast.ts");
  const affected = (changes: readonly Change[]) =>
    changes.filter(({ op, owner }) => op === "keep" && owner === "handler");

  await writeFile(join(folder, "mcp.yaml"), manifest("{ type: string }"));
  assert.equal(affected(await plannedChanges(folder)), [], "a stub is made again");
  const edited = `${await readFile(handler, "utf8")}// mine\n`;
  await writeFile(handler, edited);
  assert.equal(affected(await plannedChanges(folder)), [
    {
      op: "keep",
      path: "src/tools/forecast.ts",
      owner: "handler",
      reason: "may no longer type-check: other types of input",
    },
  ]);
  const { out } = await mcpwright(folder, "plan");
  assert.match(out, "! src/tools/forecast.ts  (may no longer type-check: other types of input)");
  assert.match(out, /, 1 handler to check\n$/);

  await writeFile(join(folder, "mcp.yaml"), manifest("{ type: integer, maximum: 7, title: D }"));
  assert.equal(affected(await plannedChanges(folder)), [], "no type depends on a limit");
  await writeFile(join(folder, "mcp.yaml"), manifest("{ type: string }"));
  await mcpwright(folder, "generate");
  assert.is(await readFile(handler, "utf8"), edited);
  assert.equal(await plannedChanges(folder), []);
});

test("plan and diff name the arguments that a program gets unchecked, before the first generation too", async () => {
  const folder = join(root, "trust");
  await mkdir(folder);
  const body = (trusted: string): string => `name: demo
version: 1.0.0
tools:
  - name: report
    description: Reports.
    inputSchema:
      type: object
      properties: { x: { type: string, description: Options } }
      required: [x]
      additionalProperties: false
    exec: { command: [report, "{{x}}"]${trusted} }
`;
  await writeFile(join(folder, "mcp.yaml"), body(", trusted: [x]"));
  const message = 'the program gets the argument "x" unchecked: it is trusted';
  const { out } = await mcpwright(folder, "plan");
  assert.match(out, "What callers see: 1 warning");
  assert.match(out, message);
  await mcpwright(folder, "generate");
  assert.match(await readFile(join(folder, "SERVER.md"), "utf8"), "a caller sends in `x`");
  assert.not.match((await mcpwright(folder, "plan")).out, message);
  await writeFile(join(folder, "old.yaml"), body(""));
  assert.match((await mcpwright(folder, "diff", "old.yaml", "mcp.yaml")).out, message);
});

test("plan --diff shows the changed lines of all files but the lock", async () => {
  const folder = await project("diff");
  await mcpwright(folder, "generate");
  await writeFile(join(folder, "mcp.yaml"), manifest("{ type: string }"));
  const { out, status } = await mcpwright(folder, "plan", "--diff");
  assert.is(status, 2);
  assert.match(
    out,
    "--- a/src/generated/tools/forecast.ts\n+++ b/src/generated/tools/forecast.ts\n@@ ",
  );
  assert.match(out, /^- +days\?: number;$/m);
  assert.match(out, /^\+ +days\?: string;$/m);
  assert.not.match(out, "a/mcpwright.lock.json");
});

function git(folder: string, ...words: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  execFileSync("git", [...identity, ...words], { cwd: folder, stdio: "pipe" });
}

const noGit = spawnSync("git", ["--version"]).status === 0 ? undefined : "git is not here";

testUnless(noGit, "plan --since and diff read a revision of the manifest from git", async () => {
  const folder = await project("git");
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "mcp.yaml");
  git(folder, "commit", "-q", "-m", "first");
  await writeFile(join(folder, "mcp.yaml"), manifest("{ type: string }"));
  await mcpwright(folder, "generate");

  const current = await mcpwright(folder, "plan");
  assert.match(current.out, /^What the lists cost a model: \d+ tokens\n.*\nnothing to do\n$/);
  const since = await mcpwright(folder, "plan", "--since", "git:HEAD");
  assert.is(since.status, 0);
  assert.match(since.out, "What callers see since git:HEAD: 1 breaking, 1 warning");
  assert.match(since.out, "mcp.yaml:8  breaking  no longer accepted: integer");

  const named = await mcpwright(folder, "diff", "git:HEAD", "mcp.yaml", "--fail-on", "breaking");
  assert.is(named.status, 2);
  const elsewhere = await mcpwright(root, "diff", "git:HEAD:git/mcp.yaml", "git/mcp.yaml");
  assert.match(elsewhere.out, "git/mcp.yaml:8  breaking", "the manifest's repository counts");
  const same = await mcpwright(folder, "diff", "git:HEAD:mcp.yaml", "git:main");
  assert.match(same.out, /^callers see no change\n/);

  const broken = join(folder, "mcp.yaml");
  await writeFile(broken, "name: [\n");
  git(folder, "commit", "-q", "-a", "-m", "broken");
  await writeFile(broken, manifest("{ type: string }"));
  const unreadable = await mcpwright(folder, "plan", "--since", "git:HEAD");
  assert.is(unreadable.status, 1);
  assert.match(unreadable.err, /^git:HEAD:mcp\.yaml:\d+:\d+ {2}error MW1008/);
  const absent = await mcpwright(folder, "diff", "git:none", "mcp.yaml");
  assert.match(absent.err, /error MW5010 {2}git cannot show this manifest: .*none/);
});

testUnless(
  noGit,
  "a revision is found from a subfolder, through a link, and for a deleted file",
  async () => {
    const folder = await project("subfolders");
    const servers = join(folder, "servers/one");
    await mkdir(servers, { recursive: true });
    await writeFile(join(servers, "mcp.yaml"), manifest("{ type: string }"));
    git(folder, "init", "-q", "-b", "main");
    git(folder, "add", ".");
    git(folder, "commit", "-q", "-m", "first");
    await symlink(join(folder, "servers"), join(folder, "link"));
    const unchanged = /^callers see no change\n/;
    for (const [from, ...words] of [
      [servers, "git:HEAD", "mcp.yaml"],
      [servers, "git:HEAD:../../mcp.yaml", "../../mcp.yaml"],
      [folder, "git:HEAD", "link/one/mcp.yaml"],
      [join(folder, "link/one"), "git:HEAD", "mcp.yaml"],
    ] as const) {
      assert.match((await mcpwright(from, "diff", ...words)).out, unchanged, words.join(" "));
    }
    await rm(join(folder, "servers"), { recursive: true });
    const both = "git:HEAD:servers/one/mcp.yaml";
    assert.match((await mcpwright(folder, "diff", both, both)).out, unchanged);
    const aFolder = await mcpwright(folder, "diff", "git:HEAD:servers", "mcp.yaml");
    assert.match(aFolder.err, "there is a folder of that name, and no file");
  },
);

testUnless(noGit, "a shallow clone says why a revision is missing", async () => {
  const folder = await project("origin");
  git(folder, "init", "-q", "-b", "main");
  for (const message of ["first", "second"]) {
    git(folder, "add", "mcp.yaml");
    git(folder, "commit", "-q", "--allow-empty", "-m", message);
  }
  git(folder, "tag", "v1", "HEAD~1");
  const clone = join(root, "shallow");
  git(root, "clone", "-q", "--depth", "1", `file://${folder}`, clone);
  const { status, err } = await mcpwright(clone, "diff", "git:v1", "mcp.yaml");
  assert.is(status, 1);
  assert.match(
    err,
    /invalid object name 'v1'; this clone is shallow.*`git fetch --unshallow --tags`/,
  );
  const { out } = await mcpwright(clone, "diff", "git:HEAD", "mcp.yaml");
  assert.match(out, /^callers see no change\n/);
  const complete = await mcpwright(folder, "diff", "git:v2", "mcp.yaml");
  assert.not.match(complete.err, "shallow");
});

test("a breaking change ends diff with its status, whatever other changes there are", async () => {
  const folder = await project("fail-on");
  const from = join(folder, "mcp.yaml");
  const closed = "      additionalProperties: false\n";
  const before = (await readFile(from, "utf8")).replace(closed, "      minProperties: 2\n");
  await writeFile(from, before);
  await writeFile(
    join(folder, "new.yaml"),
    before.replace("minProperties: 2\n", "minProperties: 2\n      required: [days]\n"),
  );
  const { status, out } = await mcpwright(
    folder,
    "diff",
    "mcp.yaml",
    "new.yaml",
    "--fail-on",
    "breaking",
  );
  assert.match(out, /breaking {2}callers must give "days" now/);
  assert.is(status, 2);
});

test("diff compares the results that bodies select, by the schemas that follow from them", async () => {
  const folder = await project("selections");
  const selecting = (select: string): string => `name: demo
version: 1.0.0
upstreams: { api: { baseUrl: "https://api.example" } }
tools:
  - name: list
    description: Lists users.
    inputSchema: { type: object, additionalProperties: false }
    http: { upstream: api, path: /users, result: { select: "${select}" } }
`;
  await writeFile(join(folder, "old.yaml"), selecting("[].{id: id, name: name}"));
  const changesWith = async (select: string): Promise<unknown[]> => {
    await writeFile(join(folder, "mcp.yaml"), selecting(select));
    const { out } = await mcpwright(folder, "diff", "old.yaml", "mcp.yaml", "--json");
    const { semantic } = JSON.parse(out) as { semantic: { rule: string; severity: string }[] };
    return semantic.map(({ rule, severity }) => `${severity} ${rule}`);
  };
  assert.equal(await changesWith("[].{id: id, name: name}"), []);
  assert.equal(await changesWith("[?active].{id: id, name: name}"), ["info selection-changed"]);
  const removed = await changesWith("[].{id: id}");
  assert.ok(removed.includes("breaking output-property-removed"), removed.join());
});

test("a revision cannot become an option of git", async () => {
  const folder = await project("option");
  for (const words of [
    ["plan", "--since", "git:--output=x"],
    ["diff", "git:--output=x", "mcp.yaml"],
    ["diff", "git:", "mcp.yaml"],
  ]) {
    assert.is((await mcpwright(folder, ...words)).status, 1, words.join(" "));
  }
});

test("every rule of semantic changes has an explanation", async () => {
  const { out: list } = await mcpwright(root, "explain");
  for (const { code, title } of explainedRules()) assert.match(list, `${code}  ${title}\n`);
  const { out } = await mcpwright(root, "explain", "tool-removed", "--json");
  assert.equal(Object.keys(JSON.parse(out) as object), [
    "ok",
    "exitCode",
    "code",
    "severity",
    "title",
    "cause",
    "example",
    "fix",
  ]);
  const { err } = await mcpwright(root, "explain", "tool-remove");
  assert.match(err, 'there is no diagnostic or rule "tool-remove"; did you mean "tool-removed"?');
});

test("explain auth shows what presets fill in", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-presets-"));
  const manifest = `name: books
version: 1.0.0
transports: [{type: http}]
auth: {resource: "https://books.example/mcp", jwt: [{preset: cognito, region: eu-west-1, userPool: eu-west-1_A}]}
`;
  try {
    await writeFile(join(folder, "mcp.yaml"), manifest);
    const { out, status } = await mcpwright(folder, "explain", "auth");
    assert.is(status, 0);
    assert.is(
      out,
      `auth:
  resource: https://books.example/mcp
  jwt:
    - issuer: https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_A
      algorithms:
        - RS256
      scopes:
        claim: scope
      require:
        token_use: access
`,
    );
    await writeFile(join(folder, "mcp.yaml"), manifest.replace("region", "realm"));
    const { err, status: failed } = await mcpwright(folder, "explain", "auth");
    assert.is(failed, 1);
    assert.match(err, 'the preset cognito needs "region"');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
