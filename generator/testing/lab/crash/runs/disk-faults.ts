import { spawn, spawnSync } from "node:child_process";
import { chmod, cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  bin,
  edit,
  read,
  snapshot,
  spacedManifest,
  write,
} from "../../../harness/projects/project-folder.js";
import { runToEnd } from "./process-runs.js";

/** Describes the result, or why there is none. */
export type StepResult = string;

type Step = (folder: string) => Promise<StepResult>;
const steps = new Map<string, Step>();

/** A fault of a real file system, in a folder of its own. */
function step(name: string, run: Step): void {
  steps.set(name, run);
}

/** Runs every step; the first one whose fault does harm throws. */
export async function runDiskFaults(scratch: string): Promise<void> {
  for (const [name, run] of steps) {
    const folder = join(scratch, name.slice(0, 3));
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    console.log(`${name}: ${await run(folder)}`);
  }
}

/** A generated project with an edited handler, whose manifest has changed since. */
async function changedProject(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await write(folder, "mcp.yaml", spacedManifest(["first", "second"]));
  await generate(folder);
  await edit(folder, "src/tools/first.ts", (text) => `${text}// mine\n`);
  await write(folder, "mcp.yaml", spacedManifest(["first", "third"]));
  return folder;
}

async function generate(folder: string, more: { uid?: number; gid?: number } = {}) {
  return runToEnd(process.execPath, [bin, "generate", "--quiet"], { cwd: folder, ...more });
}

/** Runs a program of the system; false where it is not there, or not allowed. */
function system(program: string, ...parameters: string[]): boolean {
  return spawnSync(program, parameters, { stdio: "ignore" }).status === 0;
}

function assertThat(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

async function assertSameTree(folder: string, wanted: object, what: string): Promise<void> {
  assertThat(JSON.stringify(await snapshot(folder)) === JSON.stringify(wanted), what);
}

step("F02: a disk that is full, at every size from 300 kB to 900 kB", async (folder) => {
  const project = await changedProject(join(folder, "project"));
  const disk = join(folder, "disk");
  await mkdir(disk);
  let refused = 0;
  let done = 0;
  for (let kilobytes = 300; kilobytes <= 900; kilobytes += 20) {
    if (!system("mount", "-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", disk)) {
      return "skipped: no file system may be mounted here";
    }
    try {
      const isCopied = await cp(project, disk, { recursive: true }).then(
        () => true,
        () => false,
      );
      if (!isCopied) continue;
      const before = await snapshot(disk);
      const { status, output } = await generate(disk);
      if (status === 0) done++;
      else {
        refused++;
        assertThat(status === 4 && output.includes("ENOSPC"), `${kilobytes} kB: ${output}`);
        await assertSameTree(disk, before, `${kilobytes} kB: the old tree`);
      }
      assertThat((await read(disk, "src/tools/first.ts")).endsWith("// mine\n"), "the handler");
    } finally {
      system("umount", disk);
    }
  }
  assertThat(refused > 0, "no size was too small");
  return `${refused} runs refused with the old tree intact, ${done} had room`;
});

step("F06: a read-only file system", async (folder) => {
  const project = await changedProject(join(folder, "project"));
  const mounted = system("mount", "--bind", project, project);
  if (!mounted || !system("mount", "-o", "remount,bind,ro", project)) {
    if (mounted) system("umount", project);
    return "skipped: no file system may be mounted here";
  }
  try {
    const before = await snapshot(project);
    const { status, output } = await generate(project);
    assertThat(status === 4 && output.includes("EROFS"), output);
    const check = await runToEnd(process.execPath, [bin, "check"], { cwd: project });
    assertThat(check.status === 2, check.output);
    await assertSameTree(project, before, "nothing is written");
  } finally {
    system("umount", project);
  }
  return "generate ends with 4 and EROFS, check works";
});

step("F06: an immutable file", async (folder) => {
  const project = await changedProject(folder);
  const path = join(project, "src/generated/tools/index.ts");
  if (!system("chattr", "+i", path)) return "skipped: no file can be made immutable here";
  try {
    const before = await snapshot(project);
    const { status, output } = await generate(project);
    assertThat(status === 4 && /EPERM|EACCES/.test(output), output);
    await assertSameTree(project, before, "the old tree");
  } finally {
    system("chattr", "-i", path);
  }
  assertThat((await generate(project)).status === 0, "the next run");
  return "the run ends with 4, and the old tree is there";
});

step("F06: a folder of someone else", async (folder) => {
  const project = await changedProject(join(folder, "project"));
  if (process.getuid?.() !== 0) return "skipped: only root can run as someone else";
  for (const path of [join(folder, ".."), folder]) await chmod(path, 0o755);
  const before = await snapshot(project);
  const { status, output } = await generate(project, { uid: 65_534, gid: 65_534 });
  assertThat(status === 4 && output.includes("EACCES"), output);
  await assertSameTree(project, before, "nothing is written");
  return "the run ends with 4 and EACCES";
});

step("F08: a folder that turns into a link and back while runs write into it", async (folder) => {
  const project = await changedProject(join(folder, "project"));
  const outside = join(folder, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "first.ts"), "theirs\n");
  const racer = spawn(process.execPath, ["-e", RACE, join(project, "src"), outside]);
  let swaps = 0;
  racer.stdout.on("data", (chunk: Buffer) => (swaps += chunk.length));
  try {
    for (let run = 0; run < 400 && (run < 25 || swaps < 10_000); run++) {
      const tools = run % 2 > 0 ? ["first", "third"] : ["first", "second"];
      await write(project, "mcp.yaml", spacedManifest(tools));
      await generate(project);
      const names = await readdir(outside);
      assertThat(names.join() === "first.ts", `outside after ${swaps} swaps: ${names.join()}`);
    }
  } finally {
    racer.stdin.end();
    await new Promise((resolve) => racer.once("close", resolve));
  }
  assertThat((await read(outside, "first.ts")) === "theirs\n", "the file outside");
  await pause(0);
  const texts = Object.values(await snapshot(project));
  assertThat(
    texts.some((text) => text.endsWith("// mine\n")),
    "the edited handler is there",
  );
  assertThat((await generate(project)).status === 0, "the next run");
  return `${swaps} swaps, nothing outside was touched`;
});

/** Swaps a folder with a link to another one, until its input ends; a byte a swap. */
const RACE = `
const fs = require("node:fs");
const [folder, target] = process.argv.slice(1);
let open = true;
process.stdin.on("end", () => (open = false)).resume();
const swap = () => {
  fs.renameSync(folder, folder + ".aside");
  fs.symlinkSync(target, folder);
  fs.unlinkSync(folder);
  fs.renameSync(folder + ".aside", folder);
  process.stdout.write(".");
  if (open) setTimeout(swap, Math.random() * 3);
};
swap();
`;

step("F21: a machine without a network", async (folder) => {
  await write(folder, "mcp.yaml", spacedManifest(["first"]));
  if (!system("unshare", "-n", "true")) return "skipped: no network can be taken away here";
  const parameters = ["-n", process.execPath, bin, "generate", "--quiet", "-C", folder];
  const { status, output } = await runToEnd("unshare", parameters);
  assertThat(status === 0, output);
  return "generates";
});
