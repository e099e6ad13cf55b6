import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright, mcpwrightWith } from "../testing/harness/projects/generated-project.js";

/** `init` from nothing to an installed project, with a package manager of the test. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-init-"));
test.after(() => rm(root, { recursive: true }));

/** Makes a program that stands in for a package manager, and returns the folder that it is in. */
async function fakeManager(name: string, script: string): Promise<string> {
  const folder = await mkdtemp(join(root, "bin-"));
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
  return folder;
}

/** Runs the command in a new folder. No program is found but the one in `bin`. */
async function runInit(bin: string, argv: readonly string[], agent = "") {
  const folder = await mkdtemp(join(root, "work-"));
  const env = { PATH: bin, npm_config_user_agent: agent };
  return { ...(await mcpwrightWith(env, folder, "init", ...argv)), folder };
}

/** Writes down where it runs and with what. */
const RECORDS = 'echo "${0##*/} $*" > installed';

test("one command writes the manifest, generates and installs the project, and prints five lines", async () => {
  const bin = await fakeManager("npm", RECORDS);
  const { status, out, err, folder } = await runInit(bin, ["my-server"]);
  assert.is(status, 0, err);
  assert.equal(out.split("\n"), [
    "Wrote my-server/mcp.yaml, a commented manifest.",
    "Made 23 files from it; `mcpwright generate` does so after changes.",
    "Installed its packages with npm.",
    "Yours to write: src/tools/echo.ts; until then `npm run mock` answers with examples.",
    "Start it: cd my-server && npm run dev",
    "",
  ]);
  assert.is(err, "");
  const project = join(folder, "my-server");
  assert.is(await readFile(join(project, "installed"), "utf8"), "npm install\n");
  assert.is((await mcpwright(project, "check")).status, 0);
});

test("the package manager that runs the command installs, and is the one that is named", async () => {
  const bin = await fakeManager("pnpm", RECORDS);
  const agent = "pnpm/10.1.0 npm/? node/v22.0.0";
  const { status, out, err, folder } = await runInit(bin, ["--template", "sql"], agent);
  assert.is(status, 0, err);
  assert.match(out, "Installed its packages with pnpm.\nNothing is left to write: ");
  assert.match(out, /\nStart it: pnpm run dev\n$/);
  assert.is(await readFile(join(folder, "installed"), "utf8"), "pnpm install\n");
});

test("after a failed installation, the project is complete and the command to run again is printed", async () => {
  const refusal = "echo 'npm error code ECONNREFUSED' >&2; echo 'npm error more' >&2; exit 1";
  const { status, out, err, folder } = await runInit(await fakeManager("npm", refusal), ["a b"]);
  assert.is(status, 4);
  assert.match(err, "the project is made, but `npm install` failed: npm error code ECONNREFUSED");
  assert.match(err, "hint: run it again: cd 'a b' && npm install");
  assert.not.match(out, "Start it");
  assert.is((await mcpwright(join(folder, "a b"), "check")).status, 0);
  const absent = await runInit(root, []);
  assert.is(absent.status, 4);
  assert.match(absent.err, "failed: there is no such program");
  assert.is((await mcpwright(absent.folder, "check")).status, 0);
});

test("the printed reason of a failed installation is the right line of each package manager's output", async () => {
  const unreachable = "connect ECONNREFUSED 127.0.0.1:9";
  for (const [name, said, reason] of [
    [
      "pnpm",
      ` ERR_PNPM_META_FETCH_FAIL  GET http://127.0.0.1:9/a: ${unreachable}\n\nThis happened to a.`,
      `ERR_PNPM_META_FETCH_FAIL  GET http://127.0.0.1:9/a: ${unreachable}`,
    ],
    [
      "pnpm",
      `Error: ERR_PNPM_NETWORK\n\n  × installing\n  ├─▶ Failed to fetch a: error\n  │   sending request:\n  │   ${unreachable}\n  │   \n  │   More\n  ╰─▶ refused`,
      `Error: ERR_PNPM_NETWORK: Failed to fetch a: error sending request: ${unreachable}`,
    ],
    [
      "yarn",
      `➤ YN0000: · Yarn 4.18.1\n➤ YN0001: │ RequestError: ${unreachable}\n    at ClientRequest\n➤ YN0000: · Failed with errors in 2s`,
      `RequestError: ${unreachable}`,
    ],
    ["bun", `bun install v1.4.5\nerror: ${unreachable}\nfailed`, `error: ${unreachable}`],
  ] as const) {
    const bin = await fakeManager(name, `echo '${said}'; exit 1`);
    const { err } = await runInit(bin, [], `${name}/1.0.0`);
    assert.match(err, `\`${name} install\` failed: ${reason}\n`);
  }
});

test("yarn installs into node_modules unless it has settings or a lock file", async () => {
  const bin = await fakeManager("yarn", RECORDS);
  const setting = (folder: string): Promise<string> =>
    readFile(join(folder, ".yarnrc.yml"), "utf8").catch(() => "absent");
  const { folder } = await runInit(bin, [], "yarn/4.0.0");
  assert.is(await setting(folder), "nodeLinker: node-modules\n");
  const other = await runInit(await fakeManager("npm", RECORDS), []);
  assert.is(await setting(other.folder), "absent");
  for (const file of [".yarnrc.yml", "yarn.lock"]) {
    const workspace = await mkdtemp(join(root, "workspace-"));
    await writeFile(join(workspace, file), "# mine\n");
    await runInit(bin, [join(workspace, "server")], "yarn/4.0.0");
    assert.is(await setting(join(workspace, "server")), "absent", file);
  }
  const workspace = await mkdtemp(join(root, "workspace-"));
  await writeFile(join(workspace, ".yarnrc.yml"), "nodeLinker: pnp\n");
  const { err } = await runInit(bin, [join(workspace, "server")], "yarn/4.0.0");
  assert.match(err, /MW4025 .*Plug'n'Play is not supported[^]*`nodeLinker: node-modules`/);
});

test("pnpm installs without the script of esbuild unless a workspace has settings", async () => {
  const bin = await fakeManager("pnpm", RECORDS);
  const settingIn = (folder: string): Promise<string> =>
    readFile(join(folder, "pnpm-workspace.yaml"), "utf8").catch(() => "absent");
  const { folder } = await runInit(bin, [], "pnpm/12.0.0");
  assert.is(await settingIn(folder), "allowBuilds:\n  esbuild: false\n");
  // A project of its own in a folder that pnpm has installed: no setting of that one holds here.
  const outer = await mkdtemp(join(root, "outer-"));
  await writeFile(join(outer, "pnpm-lock.yaml"), "lockfileVersion: '9.0'\n");
  await runInit(bin, [join(outer, "server")], "pnpm/12.0.0");
  assert.match(await settingIn(join(outer, "server")), "allowBuilds");
  await writeFile(join(outer, "pnpm-workspace.yaml"), "packages: [member]\n");
  await runInit(bin, [join(outer, "member")], "pnpm/12.0.0");
  assert.is(await settingIn(join(outer, "member")), "absent");
});

test("--agents adds the server to the project's settings of coding agents, beside what is there", async () => {
  const folder = await mkdtemp(join(root, "agents-"));
  const mine = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';
  await mkdir(join(folder, ".cursor"));
  await writeFile(join(folder, ".cursor/mcp.json"), mine);
  const argv = ["init", "--agents", "--no-install", "--name", "demo"];
  const { status, out, err } = await mcpwright(folder, ...argv);
  assert.is(status, 0, err);
  assert.match(
    out,
    "\nAdded demo and mcpwright to .mcp.json, .vscode/mcp.json, .cursor/mcp.json.\n",
  );
  const settings = (path: string): Promise<string> => readFile(join(folder, path), "utf8");
  const args = ["--enable-source-maps", "./dist/bundle.mjs", "--stdio"];
  assert.equal(JSON.parse(await settings(".mcp.json")), {
    mcpServers: {
      demo: { command: "node", args },
      mcpwright: { command: "mcpwright", args: ["mcp", "--root", "."] },
    },
  });
  const { servers } = JSON.parse(await settings(".vscode/mcp.json")) as {
    servers: Record<string, { type: string; args: string[] }>;
  };
  assert.equal(Object.keys(servers), ["demo", "mcpwright"]);
  assert.equal(servers["mcpwright"]?.args, ["mcp", "--root", "${workspaceFolder}"]);
  const cursor = await settings(".cursor/mcp.json");
  assert.match(
    cursor,
    /\/\/ mine\n {2}"mcpServers": \{\s*"other": \{\s*"command": "x"\s*\},\s*"demo": \{/,
  );
});

test("--agents changes no entry of the same name, no broken file and nothing outside of the project", async () => {
  const folder = await mkdtemp(join(root, "agents-"));
  const outside = await mkdtemp(join(root, "outside-"));
  await symlink(outside, join(folder, ".cursor"));
  await writeFile(join(folder, ".mcp.json"), '{ "mcpServers": { "demo": { "command": "mine" } } }');
  await mkdir(join(folder, ".vscode"));
  await writeFile(join(folder, ".vscode/mcp.json"), '{ "servers": [] }');
  const argv = ["init", "--agents", "--no-install", "--name", "demo"];
  const { status, out, err } = await mcpwright(folder, ...argv);
  assert.is(status, 0, err);
  assert.match(out, "\nAdded mcpwright to .mcp.json.\n");
  assert.match(err, "MW5012  .vscode/mcp.json stays as it is, without this server: 1:14: ");
  assert.match(err, "MW5012  .cursor/mcp.json stays as it is, without this server: it leads out");
  assert.equal(await readdir(outside), []);
  assert.match(await readFile(join(folder, ".mcp.json"), "utf8"), '"mine"');
  const both = await mcpwright(folder, "init", "x", "--agents", "--only-manifest");
  assert.match(both.err, "MW5003  --agents needs a run without --only-manifest");
});

test("--no-install generates the project only, and --only-manifest writes the manifest only", async () => {
  const bin = await fakeManager("npm", RECORDS);
  const made = await runInit(bin, ["a", "--no-install"]);
  assert.is(made.status, 0, made.err);
  assert.match(made.out, /\nInstalled no packages\.\n/);
  assert.match(made.out, /\nStart it: cd a && npm install && npm run dev\n$/);
  assert.not.ok((await readdir(join(made.folder, "a"))).includes("installed"));
  const written = await runInit(bin, ["a", "--only-manifest"]);
  assert.is(written.status, 0, written.err);
  assert.equal(await readdir(join(written.folder, "a")), ["mcp.yaml"]);
});

test("a file at a path of the project is reported, and nothing is installed", async () => {
  const bin = await fakeManager("npm", RECORDS);
  const folder = await mkdtemp(join(root, "taken-"));
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "src/main.ts"), "// mine\n");
  const { status, err } = await runInit(bin, [folder]);
  assert.is(status, 3);
  assert.match(err, "main.ts");
  assert.not.ok((await readdir(folder)).includes("installed"));
  assert.is(await readFile(join(folder, "src/main.ts"), "utf8"), "// mine\n");
});

test("with --json there is one document, also when the packages cannot be installed", async () => {
  const done = await runInit(await fakeManager("npm", RECORDS), ["--json"]);
  const { ok, exitCode, manifest } = JSON.parse(done.out) as Record<string, unknown>;
  assert.equal([ok, exitCode, manifest], [true, 0, join(done.folder, "mcp.yaml")]);
  const failed = await runInit(await fakeManager("npm", "exit 7"), ["--json"]);
  const { diagnostics } = JSON.parse(failed.out) as { diagnostics: { code: string }[] };
  assert.equal(
    diagnostics.map(({ code }) => code),
    ["MW5011"],
  );
  assert.is(failed.err, "");
});

test.run();
