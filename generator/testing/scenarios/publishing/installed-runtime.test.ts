import { existsSync } from "node:fs";
import { readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { exampleNames } from "../../harness/projects/example-names.js";
import { packageRoot } from "../../../text/package-root.js";
import { runtimeVersion } from "../../../5-emit/project/runtime-package.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

/*
 * Package managers keep a tarball that they have installed once, as long as its name and version stay: tests could try
 * a runtime of yesterday.
 */

const built = fileURLToPath(new URL("dist/runtime", packageRoot));
const examples = fileURLToPath(new URL("examples/", packageRoot));

const folders: string[] = [];
test.after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** The paths of the files of a package, without those of packages in it. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith("node_modules"));
}

async function expectBuiltRuntime(project: string): Promise<void> {
  await installShared(project);
  const installed = await realpath(join(project, "node_modules/@mcpwright/runtime"));
  const paths = await filesOf(installed);
  assert.ok(paths.length > 1_000, `${paths.length} files`);
  for (const path of paths) {
    const [mine, theirs] = [join(installed, path), join(built, path)];
    assert.ok((await readFile(mine)).equals(await readFile(theirs)), path);
  }
}

test("a new project of the tests has the runtime that was just built", async () => {
  const folder = await copyUserFiles(`${examples}minimal`, "installed-new");
  folders.push(folder);
  await rm(join(folder, "package.json"), { force: true });
  assert.is((await mcpwright(folder, "generate")).status, 0);
  assert.ok(existsSync(join(folder, `vendor/mcpwright-runtime-${runtimeVersion()}.tgz`)));
  await expectBuiltRuntime(folder);
});

test("a copy of an example has the runtime that was just built, by the path of its tarball", async () => {
  const folder = await copyUserFiles(`${examples}minimal`, "installed-example");
  folders.push(folder);
  const text = await readFile(`${examples}minimal/package.json`, "utf8");
  assert.match(text, '"@mcpwright/runtime": "file:../../dist/runtime.tgz"');
  await writeFile(join(folder, "package.json"), text);
  await expectBuiltRuntime(folder);
});

test("no file of the examples changes with the runtime: none names its version or has a file of it", async () => {
  let count = 0;
  for (const name of exampleNames()) {
    for (const path of await filesOf(`${examples}${name}`)) {
      if (/^(dist|vendor)\/|^package-lock\.json$/.test(path)) continue;
      count += 1;
      const bytes = await readFile(`${examples}${name}/${path}`);
      assert.not.ok(bytes.includes(runtimeVersion()), `${name}/${path} names the version`);
      assert.not.match(path, /^(src|test)\/generated\/(runtime|suite)\//, name);
    }
  }
  assert.ok(count > 500, `${count} files`);
});

test.run();
