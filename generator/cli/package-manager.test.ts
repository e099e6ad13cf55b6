import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Plan } from "../model/plan.js";
import { installText, packageManagerOf, usesPlugAndPlay } from "./package-manager.js";

const root = await mkdtemp(join(tmpdir(), "mcpwright-manager-"));
test.after(() => rm(root, { recursive: true }));

async function folderWith(name: string, ...files: string[]): Promise<string> {
  const folder = join(root, name, "member");
  await mkdir(folder, { recursive: true });
  for (const file of files) await writeFile(join(root, name, file), "");
  return folder;
}

test("the lock file in a project or above it names the package manager, otherwise who runs the command", async () => {
  const agent = "bun/1.2.0 npm/? node/v22.0.0";
  assert.is(packageManagerOf(await folderWith("a", "member/pnpm-lock.yaml"), agent), "pnpm");
  assert.is(packageManagerOf(await folderWith("b", "yarn.lock"), agent), "yarn");
  assert.is(packageManagerOf(await folderWith("c", "bun.lock"), ""), "bun");
  assert.is(packageManagerOf(await folderWith("d", "package-lock.json"), agent), "npm");
  assert.is(packageManagerOf(await folderWith("e"), agent), "bun");
  assert.is(packageManagerOf(await folderWith("f"), "curl/8"), "npm");
});

const planOf = (before: object | undefined, after: object): Plan => ({
  ...{ changes: [], semantic: [], diagnostics: [] },
  operations: [
    {
      ...{ kind: "write", path: "package.json", content: Buffer.from(JSON.stringify(after)) },
      ...(before && { before: "x", replaced: Buffer.from(JSON.stringify(before)) }),
    },
  ],
});

test("Plug'n'Play is recognized by the nearest setting, by its files, or by a lock file without a setting", async () => {
  const yarnFolder = async (name: string, files: Readonly<Record<string, string>>) => {
    const folder = await folderWith(name);
    for (const [file, text] of Object.entries(files)) await writeFile(join(root, name, file), text);
    return usesPlugAndPlay(folder);
  };
  const berry = "# This file is generated\n\n__metadata:\n  version: 8\n";
  assert.is(await yarnFolder("p1", { ".yarnrc.yml": "nodeLinker: pnp\n" }), true);
  assert.is(await yarnFolder("p2", { "yarn.lock": berry }), true);
  assert.is(
    await yarnFolder("p3", { ".pnp.cjs": "", ".yarnrc.yml": "enableScripts: false\n" }),
    true,
  );
  const modules = { ".yarnrc.yml": "enableScripts: false\nnodeLinker: node-modules\n" };
  assert.is(await yarnFolder("p4", { ...modules, "yarn.lock": berry, ".pnp.cjs": "" }), false);
  assert.is(await yarnFolder("p5", { "yarn.lock": "# yarn lockfile v1\n" }), false);
  assert.is(await yarnFolder("p6", {}), false);
  const installed = await folderWith("p2");
  await installIn(installed, { "@mcpwright/runtime": "1.0.0" });
  assert.is(usesPlugAndPlay(installed), false);
});

/** Puts packages into the `node_modules` of a folder. */
async function installIn(
  folder: string,
  versions: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, version] of Object.entries(versions)) {
    await mkdir(join(folder, "node_modules", name), { recursive: true });
    await writeFile(
      join(folder, "node_modules", name, "package.json"),
      JSON.stringify({ name, version }),
    );
  }
}

test("people are told to install packages only if some are missing or have another version", async () => {
  const folder = await folderWith("g", "member/pnpm-lock.yaml");
  const named = (devDependencies: object): object => ({ devDependencies });
  const unchanged: Plan = { ...planOf(undefined, {}), operations: [] };
  assert.is(
    installText(planOf(undefined, named({ a: "1.0.0" })), folder),
    "Now run `pnpm install`: no package is installed yet.\n",
  );
  await writeFile(join(folder, "package.json"), JSON.stringify(named({ a: "1.0.0", b: "^2.1.0" })));
  assert.is(installText(unchanged, folder), "", "nothing is installed, and nothing changes");
  await installIn(folder, { a: "1.0.0" });
  assert.is(installText(unchanged, folder), "Now run `pnpm install`: b ^2.1.0 is missing.\n");
  await installIn(folder, { b: "2.4.0" });
  assert.is(installText(unchanged, folder), "");
  const inOtherOrder = planOf(
    named({ a: "1.0.0", b: "^2.1.0" }),
    named({ b: "^2.1.0", a: "1.0.0" }),
  );
  assert.is(installText(inOtherOrder, folder), "");
  assert.is(installText(planOf(named({}), { scripts: { a: "b" } }), folder), "");
  assert.is(
    installText(planOf(named({}), named({ a: "2.0.0", b: "~2.4.0", c: "1.0.0" })), folder, "Then"),
    "Then run `pnpm install`: c 1.0.0 is missing; a is 1.0.0, not 2.0.0.\n",
  );
});

test("a tarball of the runtime has its version in its name, and tags, folders and aliases are understood", async () => {
  const folder = await folderWith("h");
  const vendored = (version: string) => `file:vendor/mcpwright-runtime-${version}.tgz`;
  await installIn(folder, { "@mcpwright/runtime": "0.1.0-a", tag: "3.0.0", alias: "4.0.0" });
  const adviceFor = (devDependencies: object): string =>
    installText(planOf({}, { devDependencies }), folder);
  for (const [name, wanted] of [
    ["@mcpwright/runtime", vendored("0.1.0-a")],
    ["@mcpwright/runtime", "file:../runtime.tgz"],
    ["tag", "latest"],
    ["tag", "github:acme/tag#main"],
    ["tag", "workspace:*"],
    ["alias", "npm:@acme/other@4.0.0"],
  ] as const) {
    assert.is(adviceFor({ [name]: wanted }), "", wanted);
  }
  assert.match(
    adviceFor({ "@mcpwright/runtime": vendored("0.1.0-b") }),
    "is 0.1.0-a, not 0.1.0-b.",
  );
  assert.match(
    adviceFor({ alias: "npm:@acme/other@5.0.0" }),
    "alias is 4.0.0, not npm:@acme/other@5.0.0",
  );
  await installIn(folder, { g: "1.0.0" });
  const many = Object.fromEntries("abcdefg".split("").map((name) => [name, "1.0.0"]));
  assert.match(adviceFor(many), ": a 1.0.0, b 1.0.0, c 1.0.0, d 1.0.0 and 2 more are missing.");
});

test.run();
