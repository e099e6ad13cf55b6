import { journalUnreadable, lockUnsafe, unsafePath } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, parsedJson, type JsonObject, type JsonValue } from "../model/json.js";
import { isSafePath } from "../6-reconcile/safe-path.js";
import { FolderTree } from "../6-reconcile/tree.js";
import type { FileLayer } from "./file-layer.js";

/** Folder of an active or interrupted run. It is removed when the run is done. */
export const WORK_FOLDER = ".mcpwright";
const JOURNAL_PATH = `${WORK_FOLDER}/journal.json`;
const NEW_JOURNAL_PATH = `${WORK_FOLDER}/journal.new`;
const JOURNAL_VERSION = 1;

/** One file of a run. Hashes are SHA-256 of the bytes, in hex. */
export type JournalStep =
  | {
      readonly kind: "write";
      readonly path: string;
      /** Absent for a new file. */
      readonly before?: string;
      readonly after: string;
    }
  | { readonly kind: "delete"; readonly path: string; readonly before: string }
  | { readonly kind: "move"; readonly from: string; readonly path: string };

/**
 * The state of a run. `staging`: nothing is replaced yet, and recovery only removes the staged files.
 * `commit`: everything is staged, and recovery finishes the run. `undo`: recovery restores the old tree.
 */
export interface Journal {
  readonly state: "staging" | "commit" | "undo";
  /** Folders that the run makes, outermost first. */
  readonly folders: readonly string[];
  readonly steps: readonly JournalStep[];
}

/** Replaces the journal in one step, and waits until it has reached the disk. */
export function writeJournal(root: string, journal: Journal, files: FileLayer): void {
  const text = JSON.stringify({ journalVersion: JOURNAL_VERSION, ...journal });
  const staged = `${root}/${NEW_JOURNAL_PATH}`;
  if (files.status(staged) !== undefined) files.unlink(staged);
  files.create(staged, Buffer.from(text));
  files.syncFile(staged);
  files.rename(staged, `${root}/${JOURNAL_PATH}`);
  files.syncFolder(`${root}/${WORK_FOLDER}`);
}

/** The last step of a run that is done or undone. Also removes a journal that was not written completely. */
export function removeJournal(root: string, files: FileLayer): void {
  if (files.status(`${root}/${WORK_FOLDER}`) === undefined) return;
  for (const path of [NEW_JOURNAL_PATH, JOURNAL_PATH]) {
    if (files.status(`${root}/${path}`) !== undefined) files.unlink(`${root}/${path}`);
  }
  files.syncFolder(`${root}/${WORK_FOLDER}`);
}

export type JournalState =
  | { readonly kind: "absent" }
  | { readonly kind: "read"; readonly journal: Journal }
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] };

/** Reads the journal of an interrupted run. Its content is not trusted. */
export function readJournal(root: string, files: FileLayer): JournalState {
  const tree = new FolderTree(root, files);
  const entry = tree.entry(JOURNAL_PATH);
  if (entry.kind === "unsafe") {
    return refusedJournal(unsafePath(wholeFile(entry.path), { found: entry.found }));
  }
  return entry.kind === "file" ? parseJournal(tree.read(JOURNAL_PATH)) : { kind: "absent" };
}

function parseJournal(bytes: Uint8Array): JournalState {
  const value = parsedJson(Buffer.from(bytes).toString());
  if (value === undefined) return unreadable("it is not valid JSON");
  if (!isJsonObject(value) || value["journalVersion"] !== JOURNAL_VERSION) {
    return unreadable("its version is unknown");
  }
  const { state, folders, steps } = value;
  if (state !== "staging" && state !== "commit" && state !== "undo") {
    return unreadable("its state is unknown");
  }
  if (!isPathList(folders) || !Array.isArray(steps))
    return unreadable("folders or steps are missing");
  const parsed = steps.map(parseStep).filter((step) => step !== undefined);
  if (parsed.length < steps.length) return unreadable("a step of it is malformed");
  const paths = parsed.flatMap((step) =>
    step.kind === "move" ? [step.from, step.path] : step.path,
  );
  const unsafe = [...folders, ...paths].find((path) => !isSafePath(path));
  if (unsafe !== undefined)
    return refusedJournal(lockUnsafe(wholeFile(JOURNAL_PATH), { path: unsafe }));
  return { kind: "read", journal: { state, folders, steps: parsed } };
}

function isPathList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((path) => typeof path === "string");
}

function parseStep(step: JsonValue): JournalStep | undefined {
  if (!isJsonObject(step) || typeof step["path"] !== "string") return undefined;
  const { kind, path } = step;
  if (kind === "write") return parseWrite(step, path);
  if (kind === "delete" && isHash(step["before"])) return { kind, path, before: step["before"] };
  if (kind === "move" && typeof step["from"] === "string")
    return { kind, path, from: step["from"] };
  return undefined;
}

function parseWrite(step: JsonObject, path: string): JournalStep | undefined {
  const { before, after } = step;
  if (!isHash(after) || (before !== undefined && !isHash(before))) return undefined;
  return { kind: "write", path, after, ...(before !== undefined && { before }) };
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function unreadable(problem: string): JournalState {
  return refusedJournal(journalUnreadable(wholeFile(JOURNAL_PATH), { problem }));
}

function refusedJournal(diagnostic: Diagnostic): JournalState {
  return { kind: "refused", diagnostics: [diagnostic] };
}
