import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { versionIn } from "./package-version.js";

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
