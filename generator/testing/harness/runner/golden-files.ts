import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";

/** A file of a golden folder, by its path from there. */
interface TextFile {
  readonly path: string;
  readonly content: string;
}

/** Keeps the compiler and the test runner from taking expected TypeScript for ours. */
const SUFFIX = ".expected";

/** The part of the runtime's version that differs with each of its changes, and what stands for it. */
const RUNTIME_HASH = /(?<=mcpwright-runtime-\d+\.\d+\.\d+-)h[0-9a-f]{8}/g;
const ANY_HASH = "h01234567";

/**
 * Compares files with a folder of expected ones: the list first, then each content. The runtime's version counts
 * without its hash. `UPDATE=1`
 * writes the folder anew instead, and is refused in CI.
 */
export async function assertGoldenFiles(folder: URL, files: readonly TextFile[]): Promise<void> {
  files = files.map(({ path, content }) => ({
    path: path.replace(RUNTIME_HASH, ANY_HASH),
    content: content.replace(RUNTIME_HASH, ANY_HASH),
  }));
  if (process.env["UPDATE"] === "1") return await bless(folder, files);
  const expected = await readdir(folder, { recursive: true, withFileTypes: true });
  const root = fileURLToPath(folder);
  const paths = expected
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  const wanted = files.map(({ path }) => path + SUFFIX);
  assert.equal(wanted.sort(), paths.sort(), "list of files");
  for (const { path, content } of files) {
    assert.is(content, await readFile(join(root, path + SUFFIX), "utf8"), path);
  }
}

async function bless(folder: URL, files: readonly TextFile[]): Promise<void> {
  if (process.env["CI"]) throw new Error("UPDATE=1 is refused in CI");
  await rm(folder, { recursive: true, force: true });
  for (const { path, content } of files) {
    const target = join(fileURLToPath(folder), path + SUFFIX);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}
