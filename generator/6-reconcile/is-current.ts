import { onceForEach } from "../model/once-for-each.js";
import { decodeText } from "../text/line-ends.js";
import { hashContent } from "./content-hash.js";
import { catchingDiskErrors } from "./disk-failure.js";
import type { Lock, LockedFile } from "./lock.js";
import { inputHash, manifestParts, type ManifestLines } from "./locked-manifest.js";
import { mayExport } from "./quick-look/may-export.js";
import type { LockState } from "./read-lock.js";
import type { ProjectTree } from "./tree.js";

/** Which mcpwright generates. */
export interface GeneratorIdentity {
  readonly version: string;
  /** Hash of the templates and schemas that go into projects, and of the code that decides about them. */
  readonly templates: string;
}

/** Whether the very same mcpwright has generated all of a project, from the manifest that is in its lock. */
export function isGeneratedBy(lock: Lock, { version, templates }: GeneratorIdentity): boolean {
  return lock.generator === version && lock.templates === templates && isProven(lock);
}

/** Whether the hash in a lock is that of its manifest. Asked more than once in a run. */
const isProven = onceForEach((lock: Lock): boolean => {
  const { generator, templates, manifest, input } = lock;
  return (
    linesAsWritten(lock) !== undefined ||
    input === inputHash(generator, templates, manifestParts(manifest))
  );
});

/** The lines of a lock's manifest, if they are those that were written: nobody has formatted them in another way. */
export const linesAsWritten = onceForEach((lock: Lock): ManifestLines | undefined => {
  const { generator, templates, input, lines } = lock;
  return lines && input === inputHash(generator, templates, [lines.whole]) ? lines : undefined;
});

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

/** Whether a file is as its entry in the lock says; in a person's, nothing is amiss. */
export function isUnchanged(path: string, locked: LockedFile, tree: ProjectTree): boolean {
  const { owner } = locked;
  // There are thousands of these, and what is not written may be a hard link: no need to ask for each.
  if (owner === "handler") return tree.isListedFile(path) && isReady(locked, tree.read(path));
  if (owner === "starter-test" && tree.isListedFile(path)) return true;
  const { kind } = tree.entry(path);
  switch (owner) {
    case "generated":
      return kind === "file" && locked.hashes.includes(tree.contentHash(path));
    case "merged":
      return kind === "file";
    case "starter-test":
      return kind === "absent";
    case "scaffold":
      return kind === "file" || kind === "absent" || tree.isLink(path);
  }
}

/** A stub, or a handler that looks as though nothing were to be said of it. */
function isReady({ hashes, exportName = "" }: LockedFile, bytes: Uint8Array): boolean {
  if (hashes.includes(hashContent(bytes))) return true;
  const source = decodeText(bytes)?.text;
  return source !== undefined && mayExport(source, exportName);
}
