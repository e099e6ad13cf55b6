import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { onWindows, testUnless } from "../testing/harness/runner/skipped-test.js";
import { readManifest } from "./read.js";

let folder = "";
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpwright-read-"));
});
test.after(() => rm(folder, { recursive: true, force: true }));

async function codeOf(path: string): Promise<string | undefined> {
  const { bytes, diagnostics } = readManifest(path);
  assert.is(bytes, undefined);
  assert.is(diagnostics[0]?.file, path);
  return diagnostics[0]?.code;
}

test("a regular file is read, also through a link", async () => {
  const path = join(folder, "mcp.yaml");
  const link = join(folder, "link.yaml");
  await writeFile(path, "name: demo\n");
  await symlink(path, link);
  for (const readable of [path, link]) {
    const { bytes, diagnostics } = readManifest(readable);
    assert.equal(diagnostics, []);
    assert.is(Buffer.from(bytes ?? []).toString(), "name: demo\n");
  }
});

const PROCESS_MAP = "/proc/self/smaps";
const noProcessMap = existsSync(PROCESS_MAP) ? undefined : `there is no ${PROCESS_MAP}`;
testUnless(noProcessMap, "a file is read completely if the system does not report its size", () => {
  assert.ok((readManifest(PROCESS_MAP).bytes?.length ?? 0) > 4096);
});

test("a file that is absent, a dangling link and a circle of links are not found", async () => {
  const dangling = join(folder, "dangling");
  await symlink(join(folder, "nowhere"), dangling);
  const circle = join(folder, "circle");
  await symlink(circle, circle);
  for (const path of [join(folder, "absent"), join(folder, "a", "b"), dangling, circle]) {
    assert.is(await codeOf(path), "MW1001", path);
  }
});

test("folders are refused", async () => {
  const path = join(folder, "folder");
  await mkdir(path);
  const { diagnostics } = readManifest(path);
  assert.is(diagnostics[0]?.code, "MW1002");
  assert.match(diagnostics[0]?.hint ?? "", "name the manifest in it");
});

testUnless(onWindows, "pipes and devices are refused without opening them", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  assert.is(await codeOf(pipe), "MW1002");
  if (existsSync("/dev/zero")) assert.is(await codeOf("/dev/zero"), "MW1002");
});

test("a file over 8 MiB is refused by its size", async () => {
  const path = join(folder, "large");
  await writeFile(path, "");
  await truncate(path, 8 * 1024 * 1024);
  assert.is(readManifest(path).bytes?.length, 8 * 1024 * 1024);
  await truncate(path, 64 * 1024 * 1024);
  assert.is(await codeOf(path), "MW1004");
});

test("a file that cannot be opened is reported as unreadable", async () => {
  const path = join(folder, "locked");
  await writeFile(path, "name: demo\n");
  await chmod(path, 0);
  const { bytes, diagnostics } = readManifest(path);
  // The superuser reads everything.
  if (bytes === undefined) assert.is(diagnostics[0]?.code, "MW1003");
  assert.is(readManifest("a\0b").diagnostics[0]?.code, "MW1003");
});

test.run();
