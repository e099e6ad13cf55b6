import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { planFor, projectFiles } from "../testing/harness/projects/memory-project.js";
import { onWindows, testUnless } from "../testing/harness/runner/skipped-test.js";
import { FolderTree } from "../6-reconcile/tree.js";
import { applyUnderLock, type RunOutcome } from "./apply-under-lock.js";
import { diskFiles } from "./file-layer.js";
import { runningProcesses } from "./process-lock.js";

const options = { processes: runningProcesses, patience: 0 };

function generate(root: string, version = "1"): Promise<RunOutcome> {
  const files = projectFiles(["one"], version);
  return applyUnderLock(root, diskFiles, async (tree) => planFor(tree, files), options);
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "mcpwright-"));
  try {
    await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Every path below a folder with its time of change; folders too. */
function times(folder: string): string[] {
  const names = ["", ...(fs.readdirSync(folder, { recursive: true }) as string[])].sort();
  return names.map((name) => `${name} ${fs.lstatSync(join(folder, name)).mtimeMs}`);
}

test("files of every size are read completely, each into its own buffer", () =>
  inTemporaryFolder(async (folder) => {
    const sizes = [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000];
    const contents = sizes.map((size, index) => Buffer.alloc(size, `${index} of ${size}, `));
    const paths = sizes.map((size) => join(folder, String(size)));
    for (const [index, path] of paths.entries()) fs.writeFileSync(path, contents[index] ?? "");
    const read = paths.map((path) => diskFiles.read(path));
    for (const [index, content] of contents.entries()) {
      assert.ok(content.equals(read[index] ?? Buffer.alloc(0)), paths[index]);
    }
  }));

test("neither a file of more than 64 MiB nor anything but a regular file is read", () =>
  inTemporaryFolder(async (folder) => {
    if (process.platform === "win32") return;
    const [pipe, huge] = [join(folder, "pipe"), join(folder, "huge")];
    execFileSync("mkfifo", [pipe]);
    fs.writeFileSync(huge, "");
    for (const size of [64 * 2 ** 20, 3 * 2 ** 30]) {
      fs.truncateSync(huge, size + 1);
      const refusal = `it has ${size + 1} bytes; at most 67108864 are read`;
      assert.throws(() => diskFiles.read(huge), refusal);
    }
    assert.throws(() => diskFiles.read(pipe), "it must be a regular file, not a pipe");
    assert.throws(() => diskFiles.read("/dev/zero"), "it must be a regular file, not a device");
    assert.throws(() => diskFiles.read(folder), "it must be a regular file, not a folder");
  }));

test("a person's file that stays may have another name, and may not be a link", () =>
  inTemporaryFolder(async (folder) => {
    if (process.platform === "win32") return;
    const root = join(folder, "root");
    await generate(root);
    for (const name of ["src/tools/one.ts", "test/tools/one.test.ts"]) {
      const found = async (version?: string): Promise<unknown> => {
        const { plan } = await generate(root, version);
        return [plan?.operations.length, plan?.diagnostics.map(({ code }) => code)];
      };
      const [path, other] = [join(root, name), join(folder, "other")];
      fs.renameSync(path, other);
      fs.linkSync(other, path);
      assert.equal(await found(), [0, []], name);
      // The stub of the handler would be another.
      if (name.startsWith("src/")) assert.equal(await found("2"), [0, ["MW4020"]], name);
      fs.unlinkSync(path);
      fs.symlinkSync(other, path);
      assert.equal(await found(), [0, ["MW4020"]], name);
      fs.renameSync(other, path);
    }
  }));

test("guarantee 1: on a disk, the second run writes no byte and changes no time, not even of a folder", () =>
  inTemporaryFolder(async (folder) => {
    const root = join(folder, "new", "out");
    assert.equal((await generate(root)).failures, []);
    const first = times(root);
    assert.is(
      first.some((line) => line.includes(".mcpwright")),
      false,
    );
    assert.equal((await generate(root)).plan?.operations, []);
    assert.equal(times(root), first);
  }));

test("a replaced file keeps its mode", () =>
  inTemporaryFolder(async (root) => {
    await generate(root);
    fs.chmodSync(join(root, "src/main.ts"), 0o750);
    await generate(root, "2");
    assert.is(fs.readFileSync(join(root, "src/main.ts"), "utf8"), "// main 2\n");
    assert.is(fs.statSync(join(root, "src/main.ts")).mode & 0o777, 0o750);
  }));

const hostile: Record<string, (root: string, outside: string) => void> = {
  "a link to a folder": (root, outside) => fs.symlinkSync(outside, join(root, "src")),
  "a link at the lock": (root) => fs.symlinkSync("/etc/passwd", join(root, "mcpwright.lock.json")),
  "a dangling link at a file": (root) => fs.symlinkSync("nowhere", join(root, "package.json")),
  "a hard link to a file outside": (root, outside) =>
    fs.linkSync(join(outside, "file"), join(root, "package.json")),
  "a pipe": (root) => void execFileSync("mkfifo", [join(root, ".env.example")]),
  "a link at the work folder": (root, outside) => fs.symlinkSync(outside, join(root, ".mcpwright")),
};

for (const [name, make] of Object.entries(hostile)) {
  testUnless(onWindows, `B14: ${name} is refused by name, and nothing is written`, () =>
    inTemporaryFolder(async (folder) => {
      const [root, outside] = [join(folder, "root"), join(folder, "outside")];
      for (const path of [root, outside]) fs.mkdirSync(path);
      fs.writeFileSync(join(outside, "file"), "theirs\n");
      make(root, outside);
      const before = times(root);
      const { plan, failures } = await generate(root);
      const found = [...failures, ...(plan?.diagnostics ?? [])].map(({ code }) => code);
      assert.equal(found, ["MW4020"]);
      assert.equal(times(root).slice(1), before.slice(1));
      assert.equal(fs.readdirSync(outside), ["file"]);
      assert.is(fs.readFileSync(join(outside, "file"), "utf8"), "theirs\n");
    }),
  );
}

test("F04: a disk that takes a few bytes at a time still gets the whole file", () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, "file");
    const content = Buffer.from("a line of text\n".repeat(100));
    const { default: disk } = fs as typeof fs & { default: { writeSync: typeof fs.writeSync } };
    const whole = disk.writeSync as (
      fd: number,
      data: Uint8Array,
      at: number,
      size: number,
    ) => number;
    let calls = 0;
    disk.writeSync = ((fd: number, data: Uint8Array, at: number, size: number) => {
      calls++;
      return whole(fd, data, at, Math.min(size, 7));
    }) as typeof fs.writeSync;
    try {
      diskFiles.create(path, content);
    } finally {
      disk.writeSync = whole as typeof fs.writeSync;
    }
    assert.ok(calls > 100, `${calls} calls`);
    assert.ok(fs.readFileSync(path).equals(content));
  }));

test("an error on a descriptor names its path", () =>
  inTemporaryFolder(async (folder) => {
    assert.throws(
      () => diskFiles.read(folder),
      (error: NodeJS.ErrnoException) => error.code === "EINVAL" && error.path === folder,
    );
    assert.throws(() => diskFiles.create(join(folder, "a/b"), new Uint8Array()), /ENOENT/);
    assert.is(diskFiles.status(join(folder, "a/b")), undefined);
    assert.equal(new FolderTree(folder, diskFiles).entry("a/b"), { kind: "absent" });
  }));

test.run();
