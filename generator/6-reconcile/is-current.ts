import { hash } from "node:crypto";
import type { JsonObject } from "../model/json.js";
import { decodeText } from "../text/line-ends.js";
import { hashContent } from "./content-hash.js";
import { catchingDiskErrors } from "./disk-failure.js";
import type { Lock, LockedFile } from "./lock.js";
import { mayExport } from "./may-export.js";
import type { LockState } from "./read-lock.js";
import type { ProjectTree } from "./tree.js";

/** Hash (SHA-256, hex) of everything that the generated files depend on. */
export function inputHash(generator: string, templates: string, manifest: JsonObject): string {
  const input = JSON.stringify([generator, templates, manifest]);
  return hash("sha256", input, "hex");
}

/**
 * True when generating would change nothing, found out without generating: the last generation was
 * complete and had the same input, and every file is as it left it. `false` only means: look closer.
 */
export function isCurrent(input: string, state: LockState, tree: ProjectTree): boolean {
  if (state.kind !== "read" || state.conflicted || state.lock.input !== input) return false;
  const { lock } = state;
  return catchingDiskErrors(
    () => isTreeUnchanged(lock, tree),
    () => false,
  );
}

function isTreeUnchanged(lock: Lock, tree: ProjectTree): boolean {
  for (const [path, locked] of lock.files) {
    if (tree.differentlyCased(path) !== undefined) return false;
    if (!isUnchanged(path, locked, tree)) return false;
  }
  return [...lock.removed.keys()].every((path) => tree.entry(path).kind === "file");
}

function isUnchanged(path: string, locked: LockedFile, tree: ProjectTree): boolean {
  const { kind } = tree.entry(path);
  switch (locked.owner) {
    case "generated":
      return kind === "file" && locked.hashes.includes(hashContent(tree.read(path)));
    case "handler":
      return kind === "file" && hasItsExport(locked, tree.read(path));
    case "merged":
      return kind === "file";
    case "starter-test":
      return kind === "file" || kind === "absent";
    case "scaffold":
      return kind === "file" || kind === "absent" || tree.isLink(path);
  }
}

function hasItsExport({ exportName }: LockedFile, bytes: Uint8Array): boolean {
  const source = decodeText(bytes)?.text;
  return source !== undefined && (exportName === undefined || mayExport(source, exportName));
}
