import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readDocument } from "../import/read-document.js";
import { mcpwright as inThisProcess } from "../testing/harness/projects/generated-project.js";
import { bin, TestFolders } from "../testing/harness/projects/project-folder.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { readText } from "./read-text.js";

const folders = new TestFolders();
test.after(folders.remove);

/** Runs the command as people do. It is ended if it hangs, which its status then shows. */
function mcpwright(cwd: string, ...words: string[]): { status: number | null; err: string } {
  const run = spawnSync(process.execPath, [bin, ...words], {
    ...{ cwd, encoding: "utf8", timeout: 60_000, killSignal: "SIGKILL" },
  });
  return { status: run.status, err: run.stderr };
}

test("a document to import, and a file that it refers to, must be a regular file", async () => {
  const folder = await folders.make("import");
  spawnSync("mkfifo", [join(folder, "pipe")]);
  const manifest = "name: d\nversion: 1.0.0\nx-imports: { a: { openapi: /dev/zero } }\n";
  await writeFile(join(folder, "mcp.yaml"), manifest);
  const again = mcpwright(folder, "import");
  assert.is(again.status, 1, again.err);
  assert.match(again.err, "/dev/zero cannot be read (it must be a regular file, not a device)");
  const pipe = mcpwright(folder, "import", "openapi", "pipe");
  assert.is(pipe.status, 1, pipe.err);
  assert.match(pipe.err, "pipe cannot be read (it must be a regular file, not a pipe)");
  await writeFile(join(folder, "api.yaml"), REFERRING);
  await rm(join(folder, "mcp.yaml"));
  const referring = mcpwright(folder, "import", "openapi", "api.yaml");
  assert.is.not(referring.status, null, "it hangs");
  assert.is(readText(join(folder, "pipe")), undefined);
  assert.is(readText("/dev/zero"), undefined);
});

const REFERRING = `openapi: 3.1.0
info: { title: Pets, version: "1" }
servers: [{ url: "https://pets.example" }]
paths: { /pets: { get: { operationId: pets, responses: { "200": { $ref: "pipe#/x" } } } } }
`;

test("a project file of more than 64 MiB is reported in a sentence, and nothing is written", async () => {
  const folder = await folders.make("project");
  await writeFile(
    join(folder, "mcp.yaml"),
    "name: d\nversion: 1.0.0\ntools: [{ name: t, description: Does it. }]\n",
  );
  assert.is((await inThisProcess(folder, "generate")).status, 0);
  for (const name of ["package.json", "src/tools/t.ts", ".mcpwright/journal.json"]) {
    const path = join(folder, name);
    const content = await readFile(path).catch(() => undefined);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
    await truncate(path, 3 * 2 ** 30);
    for (const command of ["plan", "generate"]) {
      const run = await inThisProcess(folder, command);
      assert.match(
        run.err,
        `read ${name} failed with EFBIG (it has 3221225472 bytes; at most 67108864 are read)`,
      );
      assert.is(run.status, 4);
    }
    await (content === undefined ? rm(path) : writeFile(path, content));
  }
  assert.is((await inThisProcess(folder, "check")).status, 0);
});

test("a document that would need gigabytes of memory is refused with a message", () => {
  const filled = ([unit, count]: readonly [string, number]): Uint8Array =>
    Buffer.from(`{"openapi":"3.1.0","paths":{},"x":[${unit.repeat(count)}1]}`);
  const problemOf = (bytes: Uint8Array): string => {
    const read = readDocument("api.json", bytes);
    return "problem" in read ? read.problem.message : "none";
  };
  const counted = [
    ["[],", 3_000_001],
    ["1,", 3_000_001],
    ['{"a":1},', 1_500_001],
  ] as const;
  for (const values of counted) {
    assert.is(problemOf(filled(values)), "the document has more than 3000000 keys and values");
  }
  for (const blank of [" ", "\n", "\t"]) {
    const problem = problemOf(filled([blank, 1_000_001]));
    assert.is(problem, "the document has more than 1000000 blanks in a row");
  }
  assert.is(
    problemOf(Buffer.from(`{"openapi":"3.1.0","paths":{},"x":"${",:[ ".repeat(2e6)}"}`)),
    "none",
  );
});

/** Bytes by which a run may grow: in the long form, as many as usual, which is 1 GB. */
const ALLOWED = shortOrLong<number | undefined>(1e8, undefined);

test("a run that needs more memory than it may ends with a message, or with one document of JSON", () => {
  const moduleOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  /** @param allowed the bytes of growth that are allowed, where they are other than usual */
  const ending = (format: string, allowed?: number): { out: string; err: string } => {
    const program = `import { withinMemory } from ${moduleOf("./memory-bound.js")};
      import { processTerminal } from ${moduleOf("./terminal.js")};
      import { Reporter } from ${moduleOf("./report/reporter.js")};
      const reporter = new Reporter(processTerminal(), { format: "${format}" });
      const problem = { code: "MW0", severity: "error", message: "too much", file: "a", line: 1, column: 2 };
      await withinMemory(reporter, problem, async () => 7);
      const kept = [];
      const fill = async () => { for (let mb = 0; mb < 1000; mb += 10) kept.push(Buffer.alloc(1e7, 1)); };
      await withinMemory(reporter, problem, () => fill().then(() => new Promise(() => setInterval(fill, 1e6))), ${allowed});`;
    const parameters = ["--input-type=module", "-e", program];
    const run = spawnSync(process.execPath, parameters, { encoding: "utf8", timeout: 120_000 });
    assert.is(run.signal, "SIGKILL");
    return { out: run.stdout, err: run.stderr };
  };
  const text = ending("text", ALLOWED);
  assert.is(text.out, "");
  assert.match(text.err, "a:1:2  error MW0  too much\n");
  const { out, err } = ending("json", 1e8);
  assert.is(err, "");
  const { diagnostics, ...others } = JSON.parse(out) as { diagnostics: { message: string }[] };
  assert.equal(others, { ok: false, exitCode: 137, omitted: 0 });
  assert.equal(
    diagnostics.map(({ message }) => message),
    ["too much"],
  );
});

test("a signal ends a long step at once, and signals are handled as usual after it", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const program = `import { endOnSignals, endingAtOnce } from ${JSON.stringify(new URL("./signals.js", import.meta.url).href)};
      import { writeSync } from "node:fs";
      endOnSignals();
      endingAtOnce(() => 1);
      if (process.listenerCount("${signal}") !== 1) process.exit(9);
      endingAtOnce(() => { writeSync(1, "busy"); for (;;); });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    child.kill(signal);
    const hang = setTimeout(() => child.kill("SIGKILL"), 60_000);
    assert.equal(await ended, [null, signal]);
    clearTimeout(hang);
  }
});

test.run();
