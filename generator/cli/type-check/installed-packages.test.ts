import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { findPackage, neededPackages } from "./installed-packages.js";

const root = await mkdtemp(join(tmpdir(), "mcpwright-packages-"));
test.after(() => rm(root, { recursive: true }));

test("a package is found in the folder or in a parent of it, as Node.js finds it", async () => {
  const project = join(root, "packages/server");
  await mkdir(project, { recursive: true });
  const place = join(root, "node_modules/@scope/one");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "package.json"), "{}");
  assert.is(findPackage("@scope/one", project), join(place, "package.json"));
  assert.is(findPackage("@scope/two-that-nobody-has", project), undefined);
});

test("a project needs its dependencies of both kinds and the tools, even if its package.json cannot be read", async () => {
  const path = join(root, "package.json");
  await writeFile(
    path,
    '{"dependencies": {"b": "1", "typescript": "1"}, "devDependencies": {"c": "1"}}',
  );
  assert.equal(neededPackages(root), ["b", "c", "tsx", "typescript"]);
  for (const text of ["{", "[]", '{"dependencies": []}']) {
    await writeFile(path, text);
    assert.equal(neededPackages(root), ["tsx", "typescript"]);
  }
});

test.run();
