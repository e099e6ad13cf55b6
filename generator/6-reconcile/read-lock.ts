import { canonicalManifest } from "../3-normalize/canonical.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, parsedJson, type JsonObject, type JsonValue } from "../model/json.js";
import type { FileOwner, ItemId } from "../model/output-file.js";
import { decodeText } from "../text/line-ends.js";
import { hasConflictMarkers, conflictSides } from "./conflict-markers.js";
import { catchingDiskErrors, diskFailure } from "./disk-failure.js";
import { LOCK_PATH, LOCK_VERSION, type Lock, type LockedFile, type RemovedFile } from "./lock.js";
import { isSafePath } from "./safe-path.js";
import type { ProjectTree } from "./tree.js";
import { unionSides } from "./union-sides.js";
import { isLaterVersion } from "./version-order.js";

/** Maximum size of a lock, in bytes. The lock of 10,000 tools has about a quarter of this size. */
const MAX_LOCK_BYTES = 64 * 1024 * 1024;

/** The result of reading `mcpwright.lock.json`. */
export type LockState =
  | { readonly kind: "absent" }
  /** `conflicted`: the lock was read from both sides of a version-control merge. */
  | { readonly kind: "read"; readonly lock: Lock; readonly conflicted: boolean }
  | { readonly kind: "newer"; readonly lockVersion: number }
  /** `generator`: the version of mcpwright that wrote it, where that can be read. */
  | { readonly kind: "corrupt"; readonly problem: string; readonly generator?: string }
  /** The operating system could not read it. */
  | { readonly kind: "unreadable"; readonly diagnostic: Diagnostic }
  /** The lock names a path that mcpwright never writes. */
  | { readonly kind: "unsafe"; readonly path: string };

/** Reads the lock of a project. A link at its path counts as absent here; planning refuses it. */
export function readLock(tree: ProjectTree): LockState {
  return catchingDiskErrors<LockState>(
    () => {
      const entry = tree.entry(LOCK_PATH);
      if (entry.kind === "folder") return corrupt("it is a folder");
      if (entry.kind !== "file") return { kind: "absent" };
      if (entry.size > MAX_LOCK_BYTES) return corrupt(`it has ${entry.size} bytes`);
      return parseLock(tree.read(LOCK_PATH));
    },
    (error) => ({ kind: "unreadable", diagnostic: diskFailure(tree.root, error) }),
  );
}

/** Parses the bytes of a lock. It never throws. */
export function parseLock(bytes: Uint8Array): LockState {
  const decoded = decodeText(bytes);
  if (decoded === undefined) return corrupt("it is not UTF-8");
  const { text } = decoded;
  if (text.trim() === "") return corrupt("it is empty");
  if (hasConflictMarkers(text)) {
    const [ours, theirs] = conflictSides(text);
    return joinSides(parseText(ours, true), parseText(theirs, true));
  }
  const value = parsedJson(text);
  if (value !== undefined && !repeatsFiles(text)) return parseValue(value, false);
  const [ours, theirs] = unionSides(text) ?? [];
  return joinSides(parseValue(ours, true), parseValue(theirs, true));
}

/**
 * True if a path stands twice among the files of a lock. Version control has then kept the entries of both sides of a merge,
 * with a comma between them.
 */
function repeatsFiles(text: string): boolean {
  const start = text.search(/^ {2}"files": \{/m);
  if (start < 0) return false;
  const entries = text.slice(start).split(/^ {2}"removed": \{/m, 1)[0] ?? "";
  const paths = [...entries.matchAll(/^ {4}("[^\n]*?"): \{ "owner": "/gm)].map(([, path]) => path);
  return new Set(paths).size < paths.length;
}

function corrupt(problem: string): LockState {
  return { kind: "corrupt", problem };
}

function parseText(text: string, conflicted: boolean): LockState {
  return parseValue(parsedJson(text), conflicted);
}

function parseValue(value: JsonValue | undefined, conflicted: boolean): LockState {
  if (value === undefined) return corrupt("it is not valid JSON");
  if (!isJsonObject(value)) return corrupt("it is not a JSON object");
  const { lockVersion } = value;
  if (typeof lockVersion !== "number") return corrupt("it has no lockVersion");
  if (lockVersion > LOCK_VERSION) return { kind: "newer", lockVersion };
  if (lockVersion !== LOCK_VERSION) return corrupt(`its version ${lockVersion} is unknown`);
  const found = lockOf(value);
  return "kind" in found ? found : { kind: "read", lock: found, conflicted };
}

function lockOf(value: JsonObject): Lock | LockState {
  const { generator, manifest, files, removed } = value;
  if (typeof generator !== "string" || !isJsonObject(manifest)) {
    return corrupt("generator or manifest is missing");
  }
  if (!isJsonObject(files) || !isJsonObject(removed)) return corrupt("files or removed is missing");
  const unsafe = [...Object.keys(files), ...Object.keys(removed)].find((path) => !isSafePath(path));
  if (unsafe !== undefined) return { kind: "unsafe", path: unsafe };
  const locked = parseEntries(files, parseLockedFile);
  const kept = parseEntries(removed, parseRemovedFile);
  if (locked === undefined || kept === undefined) return corrupt("an entry of it is malformed");
  return {
    generator,
    manifest: canonicalManifest(manifest),
    files: locked,
    removed: kept,
  };
}

function parseEntries<Entry>(
  value: JsonObject,
  parse: (entry: JsonObject) => Entry | undefined,
): Map<string, Entry> | undefined {
  const entries = new Map<string, Entry>();
  for (const path of Object.keys(value)) {
    const entry = value[path];
    const parsed = isJsonObject(entry) ? parse(entry) : undefined;
    if (parsed === undefined) return undefined;
    entries.set(path, parsed);
  }
  return entries;
}

const OWNERS: ReadonlySet<unknown> = new Set<FileOwner>([
  "generated",
  "handler",
  "starter-test",
  "scaffold",
  "merged",
]);

function isOwner(value: unknown): value is FileOwner {
  return OWNERS.has(value);
}

const ITEM_ID =
  /^(tool|resource|resourceTemplate|prompt|promptCompletion|resourceTemplateCompletion|resourceTemplateList|customTransport):[^]/;

function isItemId(value: unknown): value is ItemId {
  return typeof value === "string" && ITEM_ID.test(value);
}

function parseLockedFile(entry: JsonObject): LockedFile | undefined {
  const { owner, item, exportName, base, sourceDate } = entry;
  const hash = parseHash(entry);
  if (!isOwner(owner) || hash === undefined) return undefined;
  const needsItem = owner === "handler" || owner === "starter-test";
  if (!needsItem) {
    if (isItemId(item)) return undefined;
    return {
      owner,
      hashes: [hash],
      ...(typeof sourceDate === "string" && SOURCE_DATE.test(sourceDate) && { sourceDate }),
      ...(base !== undefined && { base }),
    };
  }
  if (!isItemId(item)) return undefined;
  return typeof exportName === "string"
    ? { owner, hashes: [hash], item, exportName }
    : { owner, hashes: [hash], item };
}

const SOURCE_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

function parseHash({ hash, sections }: JsonObject): string | undefined {
  const hashes = Array.isArray(sections) ? sections : [hash];
  const areHashes = hashes.every((text) => typeof text === "string" && /^[0-9a-f]{64}$/.test(text));
  return areHashes && hashes.length > 0 ? hashes.join(" ") : undefined;
}

function parseRemovedFile(entry: JsonObject): RemovedFile | undefined {
  const { owner, item, path, exportName } = entry;
  if ((owner !== "handler" && owner !== "starter-test") || !isItemId(item)) return undefined;
  return {
    owner,
    item,
    ...(typeof path === "string" && isSafePath(path) && { path }),
    ...(typeof exportName === "string" && { exportName }),
  };
}

/** Joins both sides of a merge to one lock. A file is pristine if either side generated it. */
function joinSides(ours: LockState, theirs: LockState): LockState {
  if (ours.kind !== "read") return ours;
  if (theirs.kind !== "read") return theirs;
  const files = new Map(theirs.lock.files);
  for (const [path, file] of ours.lock.files) {
    const hashes = new Set([...file.hashes, ...(files.get(path)?.hashes ?? [])]);
    files.set(path, { ...file, hashes: [...hashes] });
  }
  const removed = new Map([...theirs.lock.removed, ...ours.lock.removed]);
  const { generator, manifest } = ours.lock;
  const later = isLaterVersion(theirs.lock.generator, generator)
    ? theirs.lock.generator
    : generator;
  return {
    ...ours,
    lock: { generator: later, manifest, files, removed },
    conflicted: true,
  };
}
