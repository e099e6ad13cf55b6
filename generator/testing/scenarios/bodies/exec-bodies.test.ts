import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { testProjects } from "../../harness/projects/built-project.js";
import {
  editManifest,
  FixtureProject,
  runCommand,
  withoutHeader,
} from "../../harness/projects/fixture-project.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { answersOf } from "../../harness/clients/in-process-answers.js";

/** A project whose tools are programs of the manifest, from its first generation to its own code and back. */
const fixture = new FixtureProject("exec-bodies");
const isLong = shortOrLong(false, true);
/** The project with one tool more, whose program stays, once a test has built it. */
let built = "";

test.after(async () => {
  await fixture.remove();
});

/** A copy of the project with a tool whose program stays. @returns its folder */
async function withStayingTool(): Promise<string> {
  const folder = await fixture.copy();
  const tool =
    "  - { name: stay, description: Stays., exec: { command: [node, stay.cjs, parent] } }\n";
  await editManifest(folder, (manifest) => manifest.replace(/^tools:\n/m, (key) => key + tool));
  await writeFile(join(folder, "stay.cjs"), STUBBORN);
  await runCommand(folder, "generate");
  return folder;
}

const read = async (folder: string, path: string): Promise<string> =>
  readFile(join(folder, path), "utf8");

test("the generated code of a program body looks hand-written", async () => {
  const folder = await fixture.copy();
  assert.is(
    withoutHeader(await read(folder, "src/generated/bodies/tools/search-log.ts")),
    `import type { ToolHandler } from "../../index.ts";

/** Runs the program \`grep\`. */
export const searchLog: ToolHandler<"search_log"> = async ({ pattern }, ctx) => {
  const answer = await ctx.programs.run(["grep", "--max-count=50", "--", pattern, "logs/app.log"], {
    timeoutMs: 5000,
    maxBytes: 65536,
    okStatus: [0, 1],
  });
  return answer.text();
};
`,
  );
  const list = await read(folder, "src/generated/bodies/tools/list-files.ts");
  assert.match(list, "depth === undefined ? undefined : `-L${textOf(depth)}`");
  assert.match(list, '{ cwd: ctx.env.LOG_FOLDER, env: { LANG: "C", TOKEN: ctx.env.LOG_TOKEN } }');
  assert.match(await read(folder, "SERVER.md"), "It runs the program `grep`, without a shell.");
});

test("the tests of program bodies pass, before and after people take over all of the code", async () => {
  const folder = await fixture.copy();
  const whole = await read(folder, "mcp.yaml");
  const former = await read(folder, "src/generated/bodies/tools/search-log.ts");
  await writeFile(join(folder, "mcp.yaml"), whole.replace(/^ {4}exec:.*\n(?: {6}\S.*\n)*/gm, ""));
  const plan = await runCommand(folder, "plan");
  for (const name of ["search-log", "list-files", "count-words", "run-command"]) {
    const words = "(what the manifest said that it does, yours from now on)";
    assert.match(plan, `+ src/tools/${name}.ts  ${words}`);
  }
  await runCommand(folder, "generate");
  const own = await read(folder, "src/tools/search-log.ts");
  assert.is(own, withoutHeader(former).replace("../../index.ts", "../generated/index.ts"));
  built = await withStayingTool();
  // In short, the tests of the generated project alone are run, as those of SQL bodies are.
  const folders = isLong ? [built, folder] : [built];
  await Promise.all(folders.map(installShared));
  const [first = "", left = ""] = await testProjects(folders);
  assert.match(first, /generated\/server\.test\.js[^]*?\((\d+) \/ \1\)/);
  if (isLong) assert.match(left, /tools\/search-log\.test\.js[^]*?\(1 \/ 1\)/);
  assert.match(await runCommand(folder, "generate"), "nothing to do");
  await runCommand(folder, "check");

  await writeFile(join(folder, "mcp.yaml"), whole);
  assert.match(await runCommand(folder, "plan"), "src/removed/tools/search-log.ts");
  await runCommand(folder, "generate");
  assert.is(await read(folder, "src/removed/tools/search-log.ts"), own);
});

test("in mock mode a program body answers with its mock and starts no process", async () => {
  const params = { name: "search_log", arguments: { pattern: "error" } };
  const request = { method: "tools/call", params };
  const answer = await answersOf(built, { mock: true }, [request]);
  assert.match(answer, '"text":"error: no space\\n"');
});

/** Ignores SIGTERM, as does the process that it starts; both write down their ids. */
const STUBBORN = `
process.on("SIGTERM", () => {});
const { spawn } = require("node:child_process");
if (process.argv[2] === "parent") spawn(process.execPath, [__filename, "child"], { stdio: "inherit" });
require("node:fs").appendFileSync("pids", process.pid + "\\n");
setInterval(() => {}, 1000);
`;

const CALL = {
  ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
  params: {
    name: "stay",
    arguments: {},
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};

/** Starts a server from a client that calls its tool and waits, and tells the server's process. */
const CLIENT = `
const { spawn } = require("node:child_process");
const server = spawn(process.execPath, ["dist/src/main.js", "--stdio"], { stdio: ["pipe", "ignore", "ignore"] });
server.stdin.write(${JSON.stringify(JSON.stringify(CALL))} + "\\n");
console.log(server.pid);
`;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** One that has ended and that nobody has asked for its status does not run. */
async function isRunning(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return state !== "" && !/\) [ZX]/.test(state);
}

test("no process outlives its server, whether the server ends, is killed or loses its client", async () => {
  const env = { ...process.env, LOG_TOKEN: "t0ken-of-logs", LOG_FOLDER: "." };
  for (const [victim, signal] of [
    ["server", "SIGTERM"],
    ["server", "SIGKILL"],
    ["client", "SIGKILL"],
  ] as const) {
    await rm(join(built, "pids"), { force: true });
    const client = spawn(process.execPath, ["-e", CLIENT], { cwd: built, env });
    const [line] = (await once(client.stdout, "data")) as [Buffer];
    const server = Number(line.toString());
    const pids = async (): Promise<number[]> => {
      const text = await read(built, "pids").catch(() => "");
      return text.split("\n").filter(Boolean).map(Number);
    };
    await until(async () => (await pids()).length === 2);
    process.kill(victim === "server" ? server : (client.pid ?? 0), signal);
    for (const pid of [server, ...(await pids())]) await until(async () => !(await isRunning(pid)));
    client.kill("SIGKILL");
  }
});

test.run();
