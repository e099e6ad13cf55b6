import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { bin } from "../../harness/projects/project-folder.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { longTest, shortOrLong } from "../../harness/runner/test-length.js";

/** What holds of the process around a command: signals, readers that go away, full disks. */
const module = (path: string): string =>
  JSON.stringify(new URL(`dist/generator/${path}`, packageRoot).href);
const root = await mkdtemp(join(tmpdir(), "mcpwright-process-"));
test.after(() => rm(root, { recursive: true }));

interface Ending {
  readonly code: number | null;
  readonly err: string;
}

/** Starts Node and tells how it ended; `whenStarted` may end it. */
function node(
  parameters: readonly string[],
  folder: string,
  whenStarted: (child: ReturnType<typeof spawn>) => void = () => undefined,
): Promise<Ending> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, { cwd: folder });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.on("close", (code) => resolve({ code, err }));
    whenStarted(child);
  });
}

for (const [signal, status] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  test(`F10: ${signal} ends with ${status} and releases the lock`, async () => {
    const script = `
      import { endOnSignals } from ${module("cli/signals.js")};
      import { diskFiles } from ${module("7-apply/file-layer.js")};
      import { lockProject, runningProcesses } from ${module("7-apply/process-lock.js")};
      endOnSignals();
      await lockProject(process.cwd(), diskFiles, { processes: runningProcesses, patience: 0 });
      console.log("held");
      setInterval(() => undefined, 60_000);
    `;
    const { code } = await node(["--input-type=module", "-e", script], root, (child) => {
      child.stdout?.once("data", () => {
        assert.ok(existsSync(join(root, ".mcpwright/process.json")));
        child.kill(signal);
      });
    });
    assert.is(code, status);
    assert.equal(await readdir(root), []);
  });
}

// In short, `7-apply/crashes.test.ts` stands for it, with a kill at each call that writes.
longTest("F10: a run that is ended while it writes leaves a complete tree or none", async () => {
  const folder = join(root, "project");
  await mcpwright(
    root,
    "init",
    "project",
    "--only-manifest",
    "--name",
    "demo",
    "--template",
    "full",
  );
  const { code, err } = await node([bin, "generate", "--quiet"], folder, (child) => {
    void whenThere(join(folder, ".mcpwright"), child).then(() => child.kill("SIGTERM"));
  });
  assert.ok(code === 143 || code === 0, `${code} ${err}`);
  const names = await readdir(folder, { recursive: true });
  assert.equal(
    names.filter((name) => name.includes(".mcpwright")),
    [],
  );
  const { status } = await mcpwright(folder, "check");
  assert.is(status, names.includes("mcpwright.lock.json") ? 0 : 2);
});

/** Resolves once a path is there, or a process has ended. */
async function whenThere(path: string, child: ChildProcess): Promise<void> {
  while (!existsSync(path) && child.exitCode === null) await pause(1);
}

test("a closed output pipe is no failure", async () => {
  for (const words of shortOrLong(
    [["explain"]],
    [["explain"], ["explain", "--json"], ["--help"]],
  )) {
    const ending = await node([bin, ...words], root, (child) => child.stdout?.destroy());
    assert.equal(ending, { code: 0, err: "" });
  }
});

const noFullDevice = existsSync("/dev/full") ? undefined : "there is no /dev/full";
testUnless(noFullDevice, "output that the disk refuses ends the run with status 4", async () => {
  const full = await open("/dev/full", "w");
  const code = await new Promise((resolve) => {
    const stdio = ["ignore", full.fd, "ignore"] as const;
    spawn(process.execPath, [bin, "explain"], { stdio: [...stdio] }).on("close", resolve);
  });
  await full.close();
  assert.is(code, 4);
});

test("no progress is written to a pipe", async () => {
  const tools = Array.from(
    { length: 110 },
    (_, index) => `{ name: t${index}, description: ${index}x }`,
  );
  const manifest = `name: demo\nversion: 1.0.0\ndiagnostics: { toolBudget: 0 }\ntools: [${tools.join(", ")}]\n`;
  await writeFile(join(root, "mcp.yaml"), manifest);
  assert.equal(await node([bin, "plan"], root), { code: 2, err: "" });
});

/** Parameters of Node.js with which a program fails where it would load one of these packages. */
function without(packages: string): string[] {
  const hooks = `export const resolve = (name, context, next) => {
    if (/^(${packages})\\b/.test(name)) throw new Error("loads " + name);
    return next(name, context);
  };`;
  // ts-morph is required, which hooks do not see.
  const register = `import { Module, register } from "node:module";
  const load = Module._load;
  Module._load = (name, ...rest) => {
    if (/^(${packages})\\b/.test(name)) throw new Error("loads " + name);
    return load(name, ...rest);
  };
  register(${JSON.stringify(dataUrl(hooks))});`;
  // Node.js 26 says that `register` is deprecated; versions before 22.15 have nothing else.
  return ["--disable-warning=DEP0205", "--import", dataUrl(register)];
}

test("validate loads neither the TypeScript compiler nor prettier", async () => {
  const folder = join(root, "valid");
  await mcpwright(root, "init", "valid", "--only-manifest", "--name", "demo", "--template", "full");
  const watched = [...without("ts-morph|typescript|prettier"), bin];
  const first = await node([...watched, "generate"], folder);
  assert.match(first.err, "loads ts-morph", "the hook works");
  assert.equal(await node([...watched, "validate"], folder), { code: 0, err: "" });
});

function dataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

test.run();
