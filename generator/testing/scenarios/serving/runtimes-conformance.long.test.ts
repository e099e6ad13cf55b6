import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { isMap, isSeq, parseDocument } from "yaml";
import { packageRoot } from "../../../text/package-root.js";
import { runConformanceSuite } from "../../harness/clients/conformance-suite.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import {
  findRuntime,
  startForeign,
  startWorker,
  type ForeignServer,
  type RuntimeName,
} from "../../harness/runner/other-runtimes.js";
import { runProgram } from "../../harness/runner/programs.js";
import { testUnless } from "../../harness/runner/skipped-test.js";

/**
 * The scored scenarios of the official conformance suite against examples/conformance, on other runtimes and without
 * sessions. In short, other-runtimes.test.ts compares the answers of Node.js, a worker and functions.
 */

const example = fileURLToPath(new URL("examples/conformance/", packageRoot));
let folder: string;

test.before(async () => {
  folder = await copyUserFiles(example, "conformance");
  const manifest = join(folder, "mcp.yaml");
  const text = await readFile(manifest, "utf8");
  const stateless = text.replace("    sessions: memory\n", "    allowPublicBind: true\n");
  await writeFile(manifest, `${forWorkers(stateless)}\ndeploy: { docker: false, workers: true }\n`);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await buildProject(folder);
  const command = join(folder, "node_modules/@mcpwright/runtime/dist/commands/main.js");
  for (const bundle of ["bundle", "bundle-worker"]) {
    await runProgram(folder, process.execPath, [command, bundle]);
  }
});

/** The manifest without what a worker cannot have: files, and tasks, which go on after their request. */
function forWorkers(manifest: string): string {
  const document = parseDocument(manifest);
  document.delete("skills");
  const tools = document.get("tools");
  assert.ok(isSeq(tools));
  for (const tool of tools.items) if (isMap(tool)) tool.delete("task");
  return document.toString();
}

test.after(() => rm(folder, { recursive: true, force: true }));

const main = "dist/bundle.mjs";
const flags = (port: number): string[] => ["--http", "--port", String(port)];
const allowed = ["--allow-net", "--allow-env", "--allow-read", "--allow-sys"];

type Start = (program: string) => Promise<ForeignServer>;

/** Tasks go on after their request, which a worker cannot have. */
const isWanted = (scenario: string): boolean => !scenario.startsWith("tasks-");

/** How a server is started on each runtime. */
const runtimes: readonly (readonly [string, RuntimeName, Start])[] = [
  ["a worker", "workerd", (program) => startWorker(program, folder, {})],
  ["Bun", "bun", (program) => startForeign(program, (port) => [main, ...flags(port)], folder)],
  [
    "Deno",
    "deno",
    (program) => startForeign(program, (port) => ["run", ...allowed, main, ...flags(port)], folder),
  ],
];

for (const [name, runtime, start] of runtimes) {
  const { program = "", reason } = await findRuntime(runtime);
  testUnless(reason, `every scored scenario of 2026-07-28 passes on ${name}`, async () => {
    const server = await start(program);
    try {
      const url = server.url.replace("127.0.0.1", "localhost");
      const outcome = await runConformanceSuite(url, "2026-07-28", isWanted);
      const failing = [...outcome.scenarios].flatMap(([one, passed]) => (passed ? [] : [one]));
      assert.ok(outcome.passed, `${failing.join(", ")}\n${outcome.output}`);
      console.log(`${name}: ${outcome.scenarios.size} scenarios, not scored and not passing:`);
      console.log(failing.join(", ") || "none");
    } finally {
      await server.stop();
    }
  });
}

test.run();
