import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../src/generated/index.ts";
import type { Services } from "../src/generated/index.ts";
import { Workspace } from "../src/workspace/workspace.ts";

/** The generated tests read the files of the project's own workspace, which no example changes. */
export const services: Partial<Services> = {
  workspace: await Workspace.open(join(projectRoot, "workspace")),
};

/** A workspace in a new folder, with the files named, and what removes it. */
export async function temporaryWorkspace(files: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "field-guide-"));
  const workspace = await Workspace.open(join(folder, "workspace"));
  for (const [path, content] of Object.entries(files)) await workspace.write(path, content);
  await writeFile(join(folder, "secret.txt"), "secret");
  return { folder, workspace, remove: () => rm(folder, { recursive: true }) };
}
