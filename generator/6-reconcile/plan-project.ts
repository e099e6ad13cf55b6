import {
  conflictMarkersResolved,
  folderInUse,
  folderOfAnotherManifest,
  foreignFile,
  generatorOlder,
  letterCaseClash,
  lockNewer,
  lockUnreadable,
  lockUnsafe,
  unsafePath,
} from "../model/catalogue/project.js";
import { comparePlaces, wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { FileOwner, ItemId, OutputFile } from "../model/output-file.js";
import type { Change, FileOperation, Plan, SemanticChange } from "../model/plan.js";
import { hashBytes } from "./content-hash.js";
import { decideGenerated, decideStaleGenerated } from "./decide-generated.js";
import { HandlerRule, isUserFile } from "./decide-handler.js";
import { decideImporters } from "./decide-importer.js";
import { decideMerged, decideScaffold } from "./decide-merged.js";
import { decideRemovedHandler } from "./decide-removed.js";
import { decideStaleText, decideText, isLockedText, isText } from "./decide-text.js";
import {
  copyPath,
  leave,
  withCopy,
  type Decision,
  type ReconcileOptions,
  type Situation,
} from "./decision.js";
import { catchingDiskErrors, diskFailure } from "./disk-failure.js";
import { itemNamesOf, LOCK_PATH, LOCK_VERSION } from "./lock.js";
import type { Lock, LockedFile, RemovedFile } from "./lock.js";
import type { ManifestCode } from "./manifest-code.js";
import type { LockState } from "./read-lock.js";
import { byCodeUnits, isSafePath } from "./safe-path.js";
import { pendingRenames } from "./renamed-types.js";
import type { Renames } from "./renames.js";
import type { SourceEditor } from "./source-editor.js";
import { laterRuntime } from "./runtime-order.js";
import { WatchfulTree, type ProjectTree } from "./tree.js";
import { isLaterVersion } from "./version-order.js";
import { writeLock } from "./write-lock.js";

/** Everything on which a plan depends. */
export interface ReconcileInput {
  readonly files: readonly OutputFile[];
  readonly renames: Renames;
  /** Items that need no handler, since the manifest says what they do. */
  readonly manifestCode: ReadonlyMap<ItemId, ManifestCode>;
  /** Reads handlers that were edited. */
  readonly editor: SourceEditor;
  readonly lock: LockState;
  readonly tree: ProjectTree;
  readonly generation: Generation;
  /** Changes of the manifest's meaning. They become part of the plan unchanged. */
  readonly semantic: readonly SemanticChange[];
  readonly options: ReconcileOptions;
}

/** The manifest that the files were made from, for the lock. */
export interface Generation {
  /** Version of mcpwright. */
  readonly generator: string;
  /** The manifest in canonical form. */
  readonly manifest: JsonObject;
}

/** The plan of `generate` for the files in memory, the lock and the tree. Writes nothing. */
export function planProject(input: ReconcileInput): Plan {
  assertUsablePaths(input.files);
  const refusal = lockRefusal(input);
  if (refusal !== undefined) return refusedPlan(input, [refusal]);
  return catchingDiskErrors(
    () => planFiles(input),
    (error) => refusedPlan(input, [diskFailure(input.tree.root, error)]),
  );
}

function planFiles(input: ReconcileInput): Plan {
  const tree = new WatchfulTree(input.tree);
  tree.entry(LOCK_PATH);
  const decisions = decideAll(input, tree);
  const lock = decideLock(input, nextLock(input, tree, decisions), tree);
  const unsafe = unsafeEntries(tree, decisions, input.files);
  if (unsafe.length > 0) return refusedPlan(input, unsafe);
  const foreign = input.lock.kind === "read" ? [] : decisions.filter(isForeign);
  return foreign.length === 0 ? assemble(input, decisions, lock) : refusedFolder(input, foreign);
}

/** The copy of the manifest's schema that projects once had. It is part of the runtime's package now. */
const FORMER_SCHEMA = "mcp.schema.json";

/** The emitters make the paths, so an unsafe or repeated path is a bug. */
function assertUsablePaths(files: readonly OutputFile[]): void {
  const seen = new Set<string>([LOCK_PATH]);
  for (const { path } of files) {
    const folded = path.toLowerCase();
    if (!isSafePath(path) || seen.has(folded)) throw new Error(`unusable output path: ${path}`);
    seen.add(folded);
  }
}

function lockRefusal({ lock, files, generation, options }: ReconcileInput): Diagnostic | undefined {
  const place = wholeFile(LOCK_PATH);
  if (lock.kind === "newer") {
    return lockNewer(place, { found: lock.lockVersion, supported: LOCK_VERSION });
  }
  if (lock.kind === "unreadable") return lock.diagnostic;
  if (lock.kind === "unsafe") return lockUnsafe(place, { path: lock.path });
  if (options.adopt || lock.kind === "absent") return undefined;
  const own = generation.generator;
  const found = lock.kind === "corrupt" ? lock.generator : lock.lock.generator;
  // What a later version wrote may look damaged.
  if (found !== undefined && isLaterVersion(found, own))
    return generatorOlder(place, { found, own });
  if (lock.kind === "corrupt") return lockUnreadable(place, { problem: lock.problem });
  const later = found === own ? laterRuntime(lock.lock, files) : undefined;
  if (later !== undefined) {
    return generatorOlder(place, {
      found: `${found} with the ${later.found}`,
      own: `${own} with the ${later.own}`,
    });
  }
  return isOfAnotherManifest(lock.lock.manifest, generation.manifest)
    ? folderOfAnotherManifest(place, {
        found: String(lock.lock.manifest["name"]),
        expected: String(generation.manifest["name"]),
      })
    : undefined;
}

/** True for a manifest with another server name and no common item: it is not an edited version of the locked one. */
function isOfAnotherManifest(locked: JsonObject, manifest: JsonObject): boolean {
  if (locked["name"] === manifest["name"]) return false;
  const names = itemNamesOf(locked);
  return names.size > 0 && [...itemNamesOf(manifest)].every((name) => !names.has(name));
}

function decideAll(input: ReconcileInput, tree: ProjectTree): Decision[] {
  const oldLock = input.lock.kind === "read" ? input.lock.lock : undefined;
  const situation: Situation = {
    tree,
    options: input.options,
    locked: oldLock?.files ?? new Map<string, LockedFile>(),
    removed: oldLock?.removed ?? new Map<string, RemovedFile>(),
    renames: input.renames,
    manifestCode: input.manifestCode,
    editor: input.editor,
    merging: input.lock.kind === "read" && input.lock.conflicted,
  };
  const renamed = pendingRenames(input.renames, oldLock?.manifest);
  const handlers = new HandlerRule(situation, input.files, renamed);
  const decisions = input.files.map((file) => decide(file, situation, handlers));
  const importers = decideImporters(handlers.changed, decidedPaths(input.files, situation), {
    ...situation,
    tree: input.tree,
  });
  return [...decisions, ...decideStale(decisions, situation), ...importers];
}

/** True for paths of generated files, except scaffolds, whose imports are adapted as in people's other files. */
function decidedPaths(
  files: readonly OutputFile[],
  { locked }: Situation,
): (path: string) => boolean {
  const owners = new Map<string, FileOwner>();
  for (const [path, { owner }] of locked) owners.set(path, owner);
  for (const { path, owner } of files) owners.set(path, owner);
  return (path) => owners.has(path) && owners.get(path) !== "scaffold";
}

function decide(file: OutputFile, situation: Situation, handlers: HandlerRule): Decision {
  const variant = situation.tree.differentlyCased(file.path);
  if (variant !== undefined) return clash(file, variant, situation);
  switch (file.owner) {
    case "generated":
      return decideGenerated(file, situation);
    case "handler":
    case "starter-test":
      return handlers.decide(file);
    case "scaffold":
      return decideScaffold(file, situation);
    case "merged":
      return isText(file) ? decideText(file, situation) : decideMerged(file, situation);
  }
}

function clash(file: OutputFile, found: string, { locked }: Situation): Decision {
  const reason = `${found} differs only in case`;
  return {
    ...leave(file.path, locked.get(file.path)),
    changes: [{ op: "conflict", path: file.path, owner: "user", reason }],
    diagnostics: [letterCaseClash(wholeFile(file.path), { found })],
  };
}

/** Decides on files of the last generation on which no other rule has decided. */
function decideStale(decisions: readonly Decision[], situation: Situation): Decision[] {
  const current = new Set(decisions.map(({ path }) => path));
  for (const { claims } of decisions) if (claims !== undefined) current.add(claims);
  return [...situation.locked]
    .filter(([path]) => !current.has(path))
    .map(([path, locked]) => decideStaleFile(path, locked, situation));
}

function decideStaleFile(path: string, locked: LockedFile, situation: Situation): Decision {
  // Editors may still read it: the first line of a manifest may name it.
  if (path === FORMER_SCHEMA) return leave(path);
  if (locked.owner === "generated") return decideStaleGenerated(path, locked, situation);
  if (isLockedText(locked)) return decideStaleText(path, locked, situation);
  if (locked.owner === "handler" || locked.owner === "starter-test") {
    return decideRemovedHandler(path, locked, situation);
  }
  return leave(path);
}

function nextLock(
  { lock, generation }: ReconcileInput,
  tree: ProjectTree,
  decisions: readonly Decision[],
): Lock {
  const oldLock = lock.kind === "read" ? lock.lock : undefined;
  const claimed = new Set(decisions.map(({ claims }) => claims));
  const removed = new Map(
    [...(oldLock?.removed ?? [])].filter(
      ([path]) => !claimed.has(path) && tree.entry(path).kind === "file",
    ),
  );
  const files = new Map<string, LockedFile>();
  for (const { path, locked, removedTo } of decisions) {
    if (locked !== undefined) files.set(path, withFormerDate(locked, oldLock?.files.get(path)));
    const former =
      removedTo === undefined ? undefined : removedFile(path, oldLock?.files.get(path));
    if (removedTo !== undefined && former !== undefined) removed.set(removedTo, former);
  }
  return { ...generation, files, removed };
}

/** The same runtime keeps its date, so that another build of it does not change the lock. */
function withFormerDate(locked: LockedFile, former: LockedFile | undefined): LockedFile {
  if (former === undefined || former.sourceDate === locked.sourceDate) return locked;
  const { sourceDate: _other, ...others } = locked;
  return former.sourceDate === undefined ? others : { ...others, sourceDate: former.sourceDate };
}

function removedFile(path: string, locked: LockedFile | undefined): RemovedFile | undefined {
  if (locked?.item === undefined) return undefined;
  const { item, exportName } = locked;
  const owner = locked.owner === "starter-test" ? "starter-test" : "handler";
  return { owner, item, path, ...(exportName !== undefined && { exportName }) };
}

/**
 * Writes the lock if its data changes; a lock with another layout is not rewritten. If a later version of
 * mcpwright changes nothing else, the lock keeps the earlier version, so that both can still use the project.
 */
function decideLock({ lock }: ReconcileInput, next: Lock, tree: ProjectTree): Decision {
  const conflicted = lock.kind === "read" && lock.conflicted;
  if (lock.kind === "read" && !conflicted) {
    const { generator } = lock.lock;
    const kept = isLaterVersion(next.generator, generator) ? { ...next, generator } : next;
    if (writeLock(lock.lock).equals(writeLock(kept))) return leave(LOCK_PATH);
  }
  const content = writeLock(next);
  const exists = tree.entry(LOCK_PATH).kind === "file";
  const current = exists ? tree.read(LOCK_PATH) : undefined;
  const replaced = current && { before: hashBytes(current), replaced: current };
  const decision: Decision = {
    ...leave(LOCK_PATH),
    changes: [{ op: exists ? "update" : "create", path: LOCK_PATH, owner: "lock" }],
    operations: [{ kind: "write", path: LOCK_PATH, content, ...replaced }],
  };
  if (current === undefined || (lock.kind === "read" && !conflicted)) return decision;
  if (conflicted) {
    // Both sides were read, and nobody writes into a lock.
    return { ...decision, diagnostics: [conflictMarkersResolved(wholeFile(LOCK_PATH), {})] };
  }
  return withCopy(decision, copyPath(tree, LOCK_PATH, current), current, tree);
}

function assemble(input: ReconcileInput, decisions: readonly Decision[], lock: Decision): Plan {
  const operations = decisions.flatMap((decision) => decision.operations);
  const shown = decisions.flatMap(({ shownText, diagnostics }) =>
    shownText === undefined ? [] : diagnostics.map(({ file }) => [file, shownText] as const),
  );
  const sources = new Map(shown);
  return {
    changes: [...inPathOrder(decisions.flatMap(({ changes }) => changes)), ...lock.changes],
    semantic: input.semantic,
    diagnostics: [...inFileOrder(decisions), ...lock.diagnostics],
    ...(sources.size > 0 && { sources }),
    operations: [...inKindOrder(operations), ...lock.operations],
  };
}

function inPathOrder(changes: readonly Change[]): Change[] {
  return [...changes].sort((left, right) => byCodeUnits(left.path, right.path));
}

function inFileOrder(decisions: readonly Decision[]): Diagnostic[] {
  return decisions.flatMap(({ diagnostics }) => diagnostics).sort(comparePlaces);
}

const KIND_ORDER = ["move", "write", "delete"] as const;

function inKindOrder(operations: readonly FileOperation[]): FileOperation[] {
  return KIND_ORDER.flatMap((kind) =>
    operations
      .filter((operation) => operation.kind === kind)
      .sort((left, right) => byCodeUnits(left.path, right.path)),
  );
}

/** A plan that changes nothing and reports why. */
function refusedPlan(input: ReconcileInput, diagnostics: readonly Diagnostic[]): Plan {
  return { changes: [], semantic: input.semantic, diagnostics, operations: [] };
}

/** Reports links and other unsafe entries. A hard link to a handler or test that is not changed is allowed. */
function unsafeEntries(
  { unsafe, hardLinks }: WatchfulTree,
  decisions: readonly Decision[],
  files: readonly OutputFile[],
): Diagnostic[] {
  const left = new Set(files.filter(isUserFile).map(({ path }) => path));
  for (const operation of decisions.flatMap(({ operations }) => operations)) {
    left.delete(operation.path);
    if (operation.kind === "move") left.delete(operation.from);
  }
  const linked = [...hardLinks]
    .filter((path) => !left.has(path))
    .map((path) => [path, "hard link"] as const);
  return [...unsafe, ...linked]
    .sort(([left], [right]) => byCodeUnits(left, right))
    .map(([path, found]) => unsafePath(wholeFile(path), { found }));
}

function isForeign({ diagnostics }: Decision): boolean {
  return diagnostics.some(({ code }) => code === foreignFile.entry.code);
}

/** Refuses a folder without a lock but with unknown files, since it belongs to another project. */
function refusedFolder(input: ReconcileInput, foreign: readonly Decision[]): Plan {
  const paths = foreign.map(({ path }) => path).sort(byCodeUnits);
  const diagnostic = folderInUse(wholeFile(LOCK_PATH), { paths });
  return {
    ...refusedPlan(input, [diagnostic]),
    changes: inPathOrder(foreign.flatMap(({ changes }) => changes)),
  };
}
