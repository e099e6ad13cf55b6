import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../model/place.js";
import { initFailed, initTargetExists } from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";

/**
 * Writes a manifest into a folder, which is created if it does not exist. Either all files are written or none. It is
 * synchronous, so that no signal interrupts it. No manifest is overwritten.
 *
 * @param place the place on the command line that names the folder
 * @param others texts of files that belong to this manifest, by their names; they replace existing files
 * @returns the problem, if the files could not be written
 */
export function writeStarter(
  place: Place,
  folder: string,
  manifest: string,
  others: ReadonlyMap<string, string> = new Map(),
): Diagnostic | undefined {
  const path = join(folder, "mcp.yaml");
  const created: string[] = [];
  try {
    const createdFolder = mkdirSync(folder, { recursive: true });
    if (createdFolder !== undefined) created.push(createdFolder);
    const isNew = writeNew(path, manifest, created);
    for (const [name, content] of isNew ? others : []) {
      rmSync(join(folder, name), { force: true });
      writeNew(join(folder, name), content, created);
    }
    return isNew ? undefined : initTargetExists(place, { path });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    for (const createdPath of created.reverse())
      rmSync(createdPath, { recursive: true, force: true });
    return initFailed(place, { path, reason: code });
  }
}

/** @returns false if the file already exists */
function writeNew(path: string, content: string, created: string[]): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  created.push(path);
  try {
    writeFileSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
  return true;
}
