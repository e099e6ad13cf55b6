import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mcpwright } from "../../../harness/projects/generated-project.js";
import { installShared } from "../../../harness/projects/installed-packages.js";
import { npm } from "../../../harness/runner/programs.js";

/**
 * Generates, installs and builds a server in a new folder.
 *
 * @param files the author's files, by path
 * @throws Error where it cannot be generated
 */
export async function buildServer(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder);
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  const { status, err } = await mcpwright(folder, "generate", "--quiet");
  if (status !== 0) throw new Error(err);
  await installShared(folder);
  await npm(folder, "run", "build");
}
