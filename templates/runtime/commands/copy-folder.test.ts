import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { copyServedFolder } from "./copy-folder.js";

const root = await mkdtemp(join(tmpdir(), "copied-"));
test.after(() => rm(root, { recursive: true, force: true }));

const docs = join(root, "docs");
for (const path of [
  "docs/a.md",
  "docs/.aws/credentials",
  "docs/sub/b.md",
  "docs/sub/.env",
  "secret",
]) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), path);
}
const links = {
  ...{ out: "../secret", parent: "..", passwd: "/etc/passwd", nothing: "nowhere" },
  ...{ shown: ".aws", env: "sub/.env", inside: "a.md", folder: "sub", "sub/loop": ".." },
};
for (const [path, target] of Object.entries(links)) await symlink(target, join(docs, path));
await promisify(execFile)("mkfifo", [join(docs, "pipe")]);

/** The copied files; none of them is a link. */
async function copied(hidden: boolean): Promise<string[]> {
  const target = join(root, `copy-${hidden}`);
  await copyServedFolder(docs, target, hidden);
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  assert.not(entries.some((entry) => entry.isSymbolicLink()));
  assert.is(await readFile(join(target, "inside"), "utf8"), "docs/a.md");
  const files = entries.filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => join(parentPath, name).slice(target.length + 1))
    .sort();
}

test("a copied folder has what clients can read: no hidden files, and nothing outside of the folder", async () => {
  const again = ["sub/loop/a.md", "sub/loop/inside", "sub/loop/sub/b.md"];
  const files = ["a.md", "folder/b.md", "inside", "sub/b.md", ...again];
  assert.equal(await copied(false), files);
  const hidden = await copied(true);
  assert.equal(
    hidden.filter((path) => !path.startsWith("sub/loop")),
    [...files, ".aws/credentials", "env", "folder/.env", "shown/credentials", "sub/.env"]
      .filter((path) => !path.startsWith("sub/loop"))
      .sort(),
  );
});

test("an absent folder has no files to copy", async () => {
  await copyServedFolder(join(root, "absent"), join(root, "copy-absent"), false);
  assert.not((await readdir(root)).includes("copy-absent"));
});

test.run();
