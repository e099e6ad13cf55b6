import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FileTrail } from "./trail.js";

const folder = await mkdtemp(join(tmpdir(), "audit-trail-"));
test.after(() => rm(folder, { recursive: true }));

const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, "utf8")).split("\n").slice(0, -1);

test("lines are appended, and a file that was renamed or removed is created again", async () => {
  const path = join(folder, "audit.log");
  const before = new FileTrail(path);
  await before.write("one");
  await before.close();
  const trail = new FileTrail(path);
  await trail.write("two");
  await trail.synced();
  await rename(path, `${path}.1`);
  await trail.write("three");
  await trail.synced();
  await trail.write("four");
  await trail.synced();
  await rm(path);
  await trail.write("five");
  await trail.synced();
  await trail.write("six");
  await trail.close();
  assert.equal(await linesOf(`${path}.1`), ["one", "two", "three"]);
  // A line that is written before the removal is noticed is lost with the file.
  assert.equal(await linesOf(path), ["six"]);
});

test("lines of one turn are written together and in order, before their promises resolve", async () => {
  const path = join(folder, "turn.log");
  const trail = new FileTrail(path);
  const read: string[][] = [];
  await Promise.all(
    ["one", "two", "three"].map(async (line) => {
      await trail.write(line);
      read.push(await linesOf(path));
    }),
  );
  assert.equal(read, Array(3).fill(["one", "two", "three"]));
  const last = trail.write("four");
  await trail.close();
  await last;
  assert.equal(await linesOf(path), ["one", "two", "three", "four"]);
});

test("a path that is not a writable regular file is refused at once", async () => {
  const pipe = join(folder, "pipe");
  // Opening a pipe without a reader would block. Where `mkfifo` is missing, a folder is tried instead.
  await promisify(execFile)("mkfifo", [pipe]).catch(() => mkdir(pipe));
  for (const path of ["/dev/null", "/dev/full", folder, pipe, join(folder, "missing/audit.log")]) {
    assert.throws(() => new FileTrail(path), /no regular file|EISDIR|ENOENT/, path);
  }
});

test("a line that does not fit on the disk fails, and the next one starts on a new line", async () => {
  const path = join(folder, "full.log");
  const program = `
    import { FileTrail } from ${JSON.stringify(new URL("./trail.js", import.meta.url).href)};
    import { truncateSync } from "node:fs";
    const path = ${JSON.stringify(path)};
    const trail = new FileTrail(path);
    await trail.write("a".repeat(1000));
    await trail.write("b".repeat(1000)).catch((error) => console.log(error.code));
    truncateSync(path, 1011);
    await trail.write("c");
    await trail.close();`;
  const command = `ulimit -f 1; exec "$0" --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", command, process.execPath, program]);
  assert.is(stdout, "EFBIG\n");
  assert.equal(await linesOf(path), ["a".repeat(1000), "b".repeat(10), "c"]);
});

test.run();
