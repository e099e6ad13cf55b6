import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, matchesGlob, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { DockerfileParser, type Instruction } from "dockerfile-ast";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { npm } from "../../harness/runner/programs.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { freePort } from "../../../../templates/runtime/samples/free-port.js";

/*
 * Carries out the steps of a Dockerfile without an engine: in an empty folder that stands for the file
 * systems of its stages, as a user who may write nowhere else.
 */

const root = await mkdtemp(join(tmpdir(), "mcpwright-deployed-"));
test.after(() => rm(root, { recursive: true, force: true }));

const MANIFEST = `name: books
version: 1.2.0
transports: [{ type: stdio }, { type: http, allowPublicBind: true }]
deploy: { docker: true }
env:
  API_KEY: { secret: true, required: true }
resources:
  - { uri: "app://notes", name: notes, description: Notes., mimeType: text/plain, file: notes.txt }
tools:
  - name: shelf
    description: Says what is on the shelf.
    inputSchema: { type: object, properties: { row: { type: integer, default: 1 } }, additionalProperties: false }
    content: [{ type: text, text: "Two books." }]
`;

async function newProject(): Promise<string> {
  const folder = join(root, "project");
  await mkdir(folder);
  await writeFile(join(folder, "mcp.yaml"), MANIFEST);
  await writeFile(join(folder, "notes.txt"), "Buy milk.\n");
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, err);
  await writeFile(join(folder, ".env"), "API_KEY=secret\n");
  return folder;
}

const project = await newProject();
const dockerfile = DockerfileParser.parse(await readFile(join(project, "Dockerfile"), "utf8"));

/** Why no lock file can be made here, which `npm ci` starts from. */
async function missingRegistry(): Promise<string | undefined> {
  try {
    await npm(project, "install", "--package-lock-only", "--prefer-offline", "--ignore-scripts");
    return undefined;
  } catch (error) {
    if (/E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT)|ENOTCACHED/.test(String(error))) {
      return "npm's registry cannot be reached";
    }
    throw error;
  }
}

const unreachable = await missingRegistry();

/** The user `nobody`, where this process may become another. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Folders of a stage are folders below this one. */
const stages = join(root, "stages");

/** Paths of the stages' file systems, in texts of the Dockerfile. */
function inStages(text: string): string {
  return text.replace(/(?<![\w.@/])\/(app|build)\b/g, `${stages}/$1`);
}

const environment = {
  PATH: process.env["PATH"],
  HOME: join(stages, "home"),
  npm_config_cache: join(stages, "home/.npm"),
};

/** The files that the engine is sent: all that `.dockerignore` leaves. The last pattern that matches decides. */
async function contextFiles(): Promise<string[]> {
  const lines = (await readFile(join(project, ".dockerignore"), "utf8")).split("\n");
  const patterns = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const all = await readdir(project, { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => relative(project, join(parentPath, name)))
    .filter((path) => !isIgnored(path, patterns));
}

function isIgnored(path: string, patterns: readonly string[]): boolean {
  const decisive = patterns.findLast((pattern) => {
    const glob = pattern.replace(/^!/, "");
    return matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`);
  });
  return decisive !== undefined && !decisive.startsWith("!");
}

let folder = stages;

/** What each instruction does to the folders; those without an entry do nothing to them. */
const STEPS: Readonly<Record<string, (words: string) => Promise<void>>> = {
  WORKDIR: async (words) => {
    folder = inStages(words);
    await run("mkdir", ["-p", folder], stages);
  },
  RUN: (words) => run("sh", ["-c", inStages(words)], folder),
  COPY: async (words) => {
    // The last stage has what stands in the folder of the other: here both are one.
    if (words.startsWith("/app ")) return;
    const sources = words.split(" ").slice(0, -1);
    const context = join(root, "context");
    for (const source of sources) await run("cp", ["-r", `${context}/${source}`, "."], folder);
  },
};

async function run(program: string, words: string[], cwd: string): Promise<void> {
  await promisify(execFile)(program, words, { cwd, env: environment, ...user });
}

async function build(): Promise<void> {
  await mkdir(join(stages, "home"), { recursive: true });
  for (const path of [root, stages, join(stages, "home")]) await chmod(path, 0o777);
  for (const path of await contextFiles()) {
    await cp(join(project, path), join(root, "context", path), { recursive: true });
  }
  for (const instruction of dockerfile.getInstructions()) {
    await STEPS[instruction.getKeyword()]?.(instruction.getArgumentsContent() ?? "");
  }
}

/** The words of a command that no shell reads. */
function commandOf(instruction: Instruction | undefined): string[] {
  const text = instruction?.getArgumentsContent() ?? "";
  return JSON.parse(text.slice(text.indexOf("["))) as string[];
}

/** Starts what the image starts; this machine alone reaches it. */
function start(port: number): ChildProcess {
  const [entry] = dockerfile.getENTRYPOINTs();
  const [command] = dockerfile.getCMDs();
  const [, ...words] = [...commandOf(entry), ...commandOf(command), "--host", "127.0.0.1"];
  const env = { ...environment, NODE_ENV: "production", API_KEY: "k", PORT: String(port) };
  const stdio = ["ignore", "ignore", "ignore"] as const;
  return spawn(process.execPath, words, {
    cwd: join(stages, "app"),
    env,
    stdio: [...stdio],
    ...user,
  });
}

/** Exit status of the image's health check. */
async function health(port: number): Promise<number | null> {
  const [check] = dockerfile.getHEALTHCHECKs();
  const [, ...words] = commandOf(check);
  const child = spawn(process.execPath, words, { env: { PORT: String(port) }, stdio: "inherit" });
  const [status] = (await once(child, "exit")) as [number | null];
  return status;
}

testUnless(unreachable, "the steps of the Dockerfile build the server, for any user", async () => {
  const files = await contextFiles();
  assert.ok(files.includes("src/main.ts") && files.includes("package-lock.json"));
  for (const path of [".env", "Dockerfile", ".dockerignore"])
    assert.not(files.includes(path), path);
  assert.ok(files.includes(".env.example"));
  await build();
  const app = join(stages, "app");
  assert.equal((await readdir(app)).sort(), [
    "README.md",
    "SERVER.md",
    "dist",
    "node_modules",
    "notes.txt",
    "package.json",
  ]);
  assert.equal(await readdir(join(app, "dist")), ["bundle.mjs"]);
  const left = await readdir(join(app, "node_modules"), { recursive: true });
  assert.equal(
    left.filter((path) => path.endsWith("package.json")),
    [],
  );
});

testUnless(
  unreachable,
  "the server of the image becomes healthy, serves requests and stops",
  async () => {
    const port = await freePort();
    assert.is(await health(port), 1);
    const server = start(port);
    try {
      for (let tries = 0; (await health(port)) !== 0; tries += 1) {
        assert.ok(tries < 50 && server.exitCode === null, "the server is not healthy");
        await delay(100);
      }
      const client = new Client({ name: "test", version: "1.0.0" });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)),
      );
      const { content } = await client.callTool({ name: "shelf", arguments: {} });
      assert.equal(content, [{ type: "text", text: "Two books." }]);
      const { contents } = await client.readResource({ uri: "app://notes" });
      assert.match(JSON.stringify(contents), "Buy milk.");
      await client.close();
      server.kill("SIGTERM");
      const [status] = (await once(server, "exit")) as [number | null];
      assert.is(status, 0);
    } finally {
      server.kill("SIGKILL");
    }
  },
);

test.run();
