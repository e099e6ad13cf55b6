import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { keysOfFile } from "../access/issuer-keys.js";
import { readTextFile } from "../clients/replace-file.js";
import { Settings } from "../upstreams/settings.js";
import { readRegularFile } from "./regular-file.js";

const folder = mkdtempSync(join(tmpdir(), "mcpwright-files-"));
const [file, link, pipe, sparse] = ["file", "link", "pipe", "sparse"].map((name) =>
  join(folder, name),
) as [string, string, string, string];
writeFileSync(file, "text\n");
symlinkSync(file, link);
execFileSync("mkfifo", [pipe]);
writeFileSync(sparse, "");
truncateSync(sparse, 2 ** 40);
test.after(() => rmSync(folder, { recursive: true }));

const UNUSABLE = [pipe, folder, "/dev/zero", "/dev/null", sparse];

test("a regular file is read, also through a link, and where its system reports no size", () => {
  for (const path of [file, link]) assert.is(readRegularFile(path).toString(), "text\n");
  assert.match(readRegularFile("/proc/self/status").toString(), "VmRSS");
});

test("pipes, devices, folders and files that are too large are refused without reading them", () => {
  for (const path of UNUSABLE) {
    assert.throws(
      () => readRegularFile(path),
      /^it is (?:not a regular file|larger than \d+ bytes)$/,
    );
  }
  assert.is(readRegularFile(file, 5).length, 5);
  assert.throws(() => readRegularFile(file, 4), /^it is larger than 4 bytes$/);
  assert.throws(() => readRegularFile("/proc/self/status", 4), /^it is larger than 4 bytes$/);
  assert.throws(() => readRegularFile(join(folder, "absent")), /ENOENT/);
});

test("keys, certificates and settings of clients are read from regular files only, and messages say so", async () => {
  const reason = /: it is (?:not a regular file|larger than \d+ bytes)$/;
  for (const path of UNUSABLE) {
    assert.throws(() => keysOfFile(path, folder), reason, path);
    const settings = new Settings({ CA: path }, folder);
    const ask = (): unknown => settings.certificates({ ca: "CA" } as never);
    assert.throws(ask, /^the file that CA names cannot be read: it is /, path);
    const refused = await readTextFile(path).then(() => "read", String);
    assert.match(refused, /it is (?:not a regular file|larger than \d+ bytes)$/, path);
  }
});

test.run();
