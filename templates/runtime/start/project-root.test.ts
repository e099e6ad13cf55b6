import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { isReplacedByUpdates, projectRootOf, versionIn } from "./project-root.js";

const folder = await mkdtemp(join(tmpdir(), "project-root-"));
test.after(() => rm(folder, { recursive: true }));

/** A folder with empty files. */
async function projectWith(path: string, ...files: string[]): Promise<string> {
  const root = join(folder, path);
  for (const file of ["package.json", ...files]) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "{}");
  }
  return root;
}

test("sources, compiled modules and bundles have the same project's folder", async () => {
  const root = await projectWith("checkout");
  for (const path of ["src/generated/server.ts", "dist/src/generated/server.js", "dist/bundle.mjs"])
    assert.is(projectRootOf(pathToFileURL(join(root, path)).href), root, path);
});

test("a relative path is replaced by updates only in what package managers and desktop clients install", async () => {
  const replaced = [
    await projectWith("_npx/0a1b/node_modules/server"),
    await projectWith("global/lib/node_modules/@acme/server"),
    await projectWith("app/node_modules/.pnpm/server@1.0.0/node_modules/server"),
    await projectWith("extensions/server", "manifest.json", "dist/bundle.mjs"),
  ];
  const kept = [
    await projectWith("servers/server", "src/main.ts"),
    await projectWith("servers/with-manifest", "src/main.ts", "manifest.json"),
    await projectWith("image", "dist/bundle.mjs"),
    await projectWith("app/node_modules/.cache/test/server"),
  ];
  for (const root of replaced) assert.ok(isReplacedByUpdates(root, "data/audit.log"), root);
  for (const root of kept) assert.not(isReplacedByUpdates(root, "data/audit.log"), root);
  for (const root of replaced) assert.not(isReplacedByUpdates(root, join(folder, "audit.log")));
});

test("the version of a package is read, and a package without one is an error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "package-version-"));
  try {
    const path = join(folder, "package.json");
    await writeFile(path, '{ "version": "1.2.3-beta.1" }');
    assert.is(versionIn(path), "1.2.3-beta.1");
    await writeFile(path, '\uFEFF{ "version": "1.2.3" }');
    assert.is(versionIn(path), "1.2.3");
    for (const content of ["{}", '{ "version": "" }', '{ "version": 1 }']) {
      await writeFile(path, content);
      assert.throws(() => versionIn(path), /package\.json has no "version"/);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.run();
