import { hash } from "node:crypto";
import { writtenJson, type JsonObject, type JsonValue } from "../model/json.js";
import { decodeText } from "../text/line-ends.js";
import { hashContent } from "./content-hash.js";
import { catchingDiskErrors } from "./disk-failure.js";
import type { Lock, LockedFile } from "./lock.js";
import { mayExport } from "./may-export.js";
import type { LockState } from "./read-lock.js";
import type { ProjectTree } from "./tree.js";

/** Hash (SHA-256, hex) of everything that the generated files depend on. */
export function inputHash(generator: string, templates: string, manifest: JsonObject): string {
  const version = JSON.stringify([generator, templates]).slice(1, -1);
  return hash("sha256", `[${version},${manifestText(manifest)}]`, "hex");
}

/** The JSON of a manifest; that of each tool is kept for those who compare tools. */
function manifestText(manifest: JsonObject): string {
  const members = Object.entries(manifest).map(([key, value]) => {
    const text = key === "tools" && Array.isArray(value) ? listText(value) : JSON.stringify(value);
    return `${JSON.stringify(key)}:${text}`;
  });
  return `{${members.join()}}`;
}

function listText(list: readonly JsonValue[]): string {
  return `[${list.map(writtenJson).join()}]`;
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
