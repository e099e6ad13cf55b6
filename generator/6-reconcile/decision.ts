import { foreignFile } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { onceForEach } from "../model/once-for-each.js";
import { bytesOf, type ItemId, type OutputFile } from "../model/output-file.js";
import type { Change, FileOperation } from "../model/plan.js";
import { hasHash, hashBytes, hashContent, hashSections } from "./content-hash.js";
import type { LockedFile, RemovedFile } from "./lock.js";
import type { ManifestCode } from "./manifest-code.js";
import type { Renames } from "./renames.js";
import type { SourceEditor } from "./source-editor.js";
import type { ProjectTree } from "./tree.js";

/** Options of a run that decide on edited and unknown files. */
export interface ReconcileOptions {
  /** Replaces edited generated files, and saves a copy of each next to it. */
  readonly overwriteEdited: boolean;
  /** Adds unknown files to the lock. Files that differ from the generated ones count as the user's. */
  readonly adopt: boolean;
}

/** The data on which every rule decides. */
export interface Situation {
  readonly tree: ProjectTree;
  readonly options: ReconcileOptions;
  readonly locked: ReadonlyMap<string, LockedFile>;
  readonly removed: ReadonlyMap<string, RemovedFile>;
  readonly renames: Renames;
  readonly manifestCode: ReadonlyMap<ItemId, ManifestCode>;
  readonly editor: SourceEditor;
  /** True if version control merged the lock from two generations. */
  readonly merging: boolean;
}

/** The decision about one file. */
export interface Decision {
  /** The path of the lock entry. */
  readonly path: string;
  readonly changes: readonly Change[];
  readonly operations: readonly FileOperation[];
  readonly diagnostics: readonly Diagnostic[];
  /** The new text of the file, if its diagnostics point into it. */
  readonly shownText?: string;
  /** Its entry in the new lock; absent if the lock forgets the file. */
  readonly locked?: LockedFile;
  /** Another path, locked or under `src/removed/`, whose file this decision moves or deletes. */
  readonly claims?: string;
  /** The new path, if the file moves to `src/removed/`. */
  readonly removedTo?: string;
}

/** A decision that changes nothing. The new lock has the entry `locked`. */
export function leave(path: string, locked?: LockedFile): Decision {
  return {
    path,
    changes: [],
    operations: [],
    diagnostics: [],
    ...(locked !== undefined && { locked }),
  };
}

/** A decision that changes nothing, and says why. The new lock has the entry `locked`. */
export function keep(
  path: string,
  owner: Change["owner"],
  reason: string,
  locked?: LockedFile,
): Decision {
  return { ...leave(path, locked), changes: [{ op: "keep", path, owner, reason }] };
}

/** Deletes a file with these bytes. */
export function remove(
  path: string,
  owner: Change["owner"],
  current: Uint8Array,
  reason = "not needed any more",
): Decision {
  return {
    ...leave(path),
    changes: [{ op: "delete", path, owner, reason }],
    operations: [{ kind: "delete", path, before: hashBytes(current) }],
  };
}

/** The lock entry of a file as it is generated in this run. */
export const lockEntry = onceForEach((file: OutputFile): LockedFile => {
  const isPage = file.owner === "generated" && file.path.endsWith(".md");
  if (file.owner === "handler") {
    const hashes = [hashContent(Buffer.from(file.stub ?? file.content))];
    return { owner: file.owner, hashes, item: file.item, exportName: file.exportName };
  }
  const hashes = [(isPage ? hashSections : hashContent)(bytesOf(file))];
  if (file.owner === "starter-test") return { owner: file.owner, hashes, item: file.item };
  if (file.owner === "generated" && file.sourceDate !== undefined)
    return { owner: file.owner, hashes, sourceDate: file.sourceDate };
  return { owner: file.owner, hashes };
});

/** Writes the generated content to a path without a file. */
export function create(file: OutputFile, locked = lockEntry(file)): Decision {
  return {
    ...leave(file.path, locked),
    changes: [{ op: "create", path: file.path, owner: file.owner, ...whatFor(file) }],
    operations: [{ kind: "write", path: file.path, content: bytesOf(file) }],
  };
}

function whatFor(file: OutputFile): Pick<Change, "reason"> {
  const { owner } = file;
  if (owner === "handler" && file.stub !== undefined) {
    return { reason: "what the manifest said that it does, yours from now on" };
  }
  if (owner === "handler") return { reason: "a stub, yours to write" };
  return owner === "starter-test" ? { reason: "a start for your tests" } : {};
}

function whyAgain({ owner }: OutputFile): Pick<Change, "reason"> {
  return owner === "handler" || owner === "starter-test" ? { reason: "nobody has edited it" } : {};
}

const COPIED = "a copy of what is replaced";

/** Replaces `current` by the generated content. */
export function update(
  file: OutputFile,
  current: Uint8Array,
  content = bytesOf(file),
  locked = lockEntry(file),
): Decision {
  const before = hashBytes(current);
  return {
    ...leave(file.path, locked),
    changes: [{ op: "update", path: file.path, owner: file.owner, ...whyAgain(file) }],
    operations: [{ kind: "write", path: file.path, content, before, replaced: current }],
  };
}

/** Changes nothing, since an unknown file, or a folder, has the path. */
export function inTheWay(path: string, found: "file" | "folder", locked?: LockedFile): Decision {
  return {
    ...leave(path, locked),
    changes: [{ op: "conflict", path, owner: "user", reason: `a foreign ${found} is in the way` }],
    diagnostics: [foreignFile(wholeFile(path), { found })],
  };
}

/** True if the bytes are the generated ones, by the hashes in the lock. */
export function isPristine(locked: LockedFile | undefined, bytes: Uint8Array): boolean {
  return locked?.hashes.some((hash) => hasHash(bytes, hash)) ?? false;
}

/**
 * A path next to `path` for a copy of `bytes`: `main.ts.saved`, `main.ts.saved2`, and so on. A path is usable if it
 * has no file, or a file with the same bytes.
 */
export function copyPath(tree: ProjectTree, path: string, bytes: Uint8Array): string {
  for (let number = 1; ; number++) {
    const copy = `${path}.saved${number === 1 ? "" : number}`;
    const entry = tree.entry(copy);
    if (entry.kind === "absent") return copy;
    if (entry.kind === "file" && Buffer.compare(tree.read(copy), bytes) === 0) return copy;
  }
}

/** Saves a copy of `bytes` before `decision` replaces or deletes them. */
export function withCopy(
  decision: Decision,
  copy: string,
  bytes: Uint8Array,
  tree: ProjectTree,
): Decision {
  if (tree.entry(copy).kind === "file") return decision;
  return {
    ...decision,
    changes: [{ op: "create", path: copy, owner: "user", reason: COPIED }, ...decision.changes],
    operations: [{ kind: "write", path: copy, content: bytes }, ...decision.operations],
  };
}
