import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../model/catalogue-entry.js";
import { initFailed, initTargetExists } from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";

/**
 * Writes a manifest and its schema into a folder, which is made if it is absent: all or nothing, in
 * one go that no signal interrupts. Nothing is overwritten.
 *
 * @param place of what named the folder
 * @param others texts of files that only mean something beside this manifest, by their names; one that is there is
 *   replaced
 */
export function writeStarter(
  place: Place,
  folder: string,
  manifest: string,
  schema: string,
  others: ReadonlyMap<string, string> = new Map(),
): Diagnostic | undefined {
  const path = join(folder, "mcp.yaml");
  const made: string[] = [];
  try {
    const madeFolder = mkdirSync(folder, { recursive: true });
    if (madeFolder !== undefined) made.push(madeFolder);
    const isNew = writeNew(path, manifest, made);
    // The schema is ours by its name and generated again by every run: one that is there will do.
    if (isNew) writeNew(join(folder, "mcp.schema.json"), schema, made);
    for (const [name, content] of isNew ? others : []) {
      rmSync(join(folder, name), { force: true });
      writeNew(join(folder, name), content, made);
    }
    return isNew ? undefined : initTargetExists(place, { path });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    for (const undone of made.reverse()) rmSync(undone, { recursive: true, force: true });
    return initFailed(place, { path, reason: code });
  }
}

/** @returns false when something is there already */
function writeNew(path: string, content: string, made: string[]): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  made.push(path);
  try {
    writeFileSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
  return true;
}
