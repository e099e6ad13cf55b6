import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Plan } from "../model/plan.js";
import { installText, packageManagerOf } from "./package-manager.js";

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

test("people are told to install when package.json names other packages, and only then", async () => {
  const folder = await folderWith("g", "member/pnpm-lock.yaml");
  const one = { devDependencies: { a: "1" } };
  const said = "Now run `pnpm install`: package.json names other packages.\n";
  assert.is(installText(planOf(undefined, one), folder), said);
  assert.is(installText(planOf(one, { devDependencies: { a: "2" } }), folder), said);
  assert.is(installText(planOf(one, { ...one, scripts: {} }), folder), "");
  assert.is(installText({ ...planOf(one, one), operations: [] }, folder), "");
});

test.run();
