import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../text/package-root.js";
import { write, type TestFolders } from "./project-folder.js";

/**
 * Projects as former versions of mcpwright left them, in `fixtures/`, without most of what is the same in every
 * project. Each file has `.frozen` behind its name, so that no tool takes it for its own.
 */
const fixtures = fileURLToPath(new URL("generator/testing/fixtures/", packageRoot));
const SUFFIX = ".frozen";

/** Files of the frozen project by their paths. */
export async function frozenProject(name: string): Promise<Map<string, Buffer>> {
  const folder = join(fixtures, name);
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((file) => file.endsWith(SUFFIX)).sort();
  const contents = files.map(
    async (file) => [file.slice(0, -SUFFIX.length), await readFile(join(folder, file))] as const,
  );
  return new Map(await Promise.all(contents));
}

/** The project in a folder of its own. */
export async function thawedProject(name: string, folders: TestFolders): Promise<string> {
  const folder = await folders.make(name);
  for (const [path, bytes] of await frozenProject(name)) await write(folder, path, bytes);
  return folder;
}
