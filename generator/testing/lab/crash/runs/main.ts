import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bin, edit, spacedManifest, write } from "../../../harness/projects/project-folder.js";
import { randomNumbers } from "../../../harness/runner/random-numbers.js";
import { runDiskFaults } from "./disk-faults.js";
import { KillJob, type CrashCounts } from "./kill-job.js";
import {
  hasStrace,
  runToEnd,
  selfKills,
  straceInjections,
  type Injection,
} from "./process-runs.js";

/**
 * Guarantee 12 and faults F01 to F03, F06 to F08, F10 and F21 with real processes on a real disk: kills and errors at every
 * system call that writes, in turn, until a run meets none. Every figure is printed; the first
 * guarantee that does not hold ends it with an error.
 *
 *   node dist/generator/testing/lab/crash/runs/main.js [every n-th call of the command itself; 10]
 */
const stride = Number(process.argv[2] ?? 10);
const driver = fileURLToPath(new URL("./driver.js", import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), "mcpwright-crashes-"));
const counts: CrashCounts = { kills: 0, failures: 0, interruptedRecoveries: 0 };

async function template(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(scratch, name);
  await mkdir(folder);
  await make(folder);
  return folder;
}

async function node(...parameters: string[]): Promise<void> {
  const { status, output } = await runToEnd(process.execPath, parameters);
  if (status !== 0) throw new Error(output);
}

/** The small project: a new one, and one run that makes, replaces, moves, merges and deletes. */
async function smallJobs(): Promise<KillJob[]> {
  const empty = await template("empty", async () => undefined);
  const edited = await template("edited", async (folder) => {
    await node(driver, folder, "1", "one", "two");
    await edit(folder, "src/tools/two.ts", (text) => `${text}// mine two\r\n`);
    await edit(folder, "package.json", (text) => text.replace("{", '{ "mine": true,'));
    await edit(folder, ".env.example", (text) => `${text}MINE=1`);
  });
  const command = (folder: string): string[] => [driver, folder, "2", "one", "three"];
  return [
    await KillJob.of("a new small project", empty, scratch, command),
    await KillJob.of("a small project that changes", edited, scratch, command),
  ];
}

/** The command itself: a new project, and one with a rename, a removal, a return and an update. */
async function commandJobs(): Promise<KillJob[]> {
  const empty = await template("new", (folder) =>
    write(folder, "mcp.yaml", spacedManifest(["first", "second"])),
  );
  const edited = await template("changed", async (folder) => {
    await write(folder, "mcp.yaml", spacedManifest(["back", "first", "second"]));
    await node(bin, "generate", "-C", folder);
    for (const tool of ["back", "first", "second"]) {
      await edit(folder, `src/tools/${tool}.ts`, (text) => `${text}\t// mine ${tool}\r\n`);
    }
    await write(folder, "mcp.yaml", spacedManifest(["first", "second"]));
    await node(bin, "generate", "-C", folder);
    await edit(folder, "package.json", (text) => text.replace("{", '{ "mine": true,'));
    const manifest = spacedManifest(["back", "other", "third"], "2.0.0");
    await write(
      folder,
      "mcp.yaml",
      manifest.replace("name: other", "name: other\n    renamedFrom: first"),
    );
  });
  const command = (folder: string): string[] => [bin, "generate", "--quiet", "-C", folder];
  return [
    await KillJob.of("mcpwright generate, a new project", empty, scratch, command),
    await KillJob.of("mcpwright generate, a changed project", edited, scratch, command),
  ];
}

/** F01 and F10: signals at random times. */
async function signalAtRandom(job: KillJob, runs: number): Promise<void> {
  const random = randomNumbers(Date.now());
  const statuses = { SIGKILL: null, SIGTERM: 143, SIGINT: 130 } as const;
  for (let run = 0; run < runs; run++) {
    const signal = (["SIGKILL", "SIGTERM", "SIGINT"] as const)[run % 3] ?? "SIGKILL";
    const folder = await job.start();
    const after = 100 + random(1_500);
    const end = await runToEnd(process.execPath, [bin, "generate", "--quiet"], {
      cwd: folder,
      end: { signal, after },
    });
    const place = `${job.name}, ${signal} after ${after} ms`;
    // A process that has not loaded its handlers yet ends by the signal itself.
    const isExpected = end.status === statuses[signal] || end.status === 0 || end.signal === signal;
    if (!isExpected)
      throw new Error(`${place}: ended with ${end.signal ?? end.status}\n${end.output}`);
    if (end.status !== 0) counts.kills++;
    await job.assertOldOrNew(place);
    await job.assertCompleted(place);
  }
}

async function injectEverywhere(
  jobs: readonly KillJob[],
  injections: readonly Injection[],
  every: number,
) {
  for (const job of jobs) {
    for (const injection of injections) {
      const { kills, failures } = counts;
      await job.forEachCall(injection, counts, every);
      const met = counts.kills - kills + (counts.failures - failures);
      if (met === 0 && injection.isMetAlways) throw new Error(`${injection.name} was never met`);
      console.log(`${String(met).padStart(6)} × ${injection.name}, ${job.name}`);
    }
  }
}

try {
  await runDiskFaults(scratch);
  const [small, whole] = [await smallJobs(), await commandJobs()];
  if (hasStrace()) {
    const injections = straceInjections();
    await injectEverywhere(small, injections, 1);
    const kills = injections.filter(({ kind }) => kind === "kill");
    await injectEverywhere(whole, kills, stride);
  } else {
    console.log(
      "strace is not there, or may not trace: no system call is failed, and kills come from the process itself.\n" +
        "On Debian: apt-get install strace",
    );
    await injectEverywhere(small, selfKills(), 1);
    await injectEverywhere(whole, selfKills(), stride);
  }
  for (const job of whole) await signalAtRandom(job, 30);
  console.log({ ...counts, "bytes of a person's lost or changed": 0 });
} finally {
  await rm(scratch, { recursive: true, force: true });
}
