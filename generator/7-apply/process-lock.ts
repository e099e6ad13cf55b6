import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { dirname } from "node:path";
import { lockedByAnotherRun, unsafePath } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, parsedJson } from "../model/json.js";
import { FolderTree } from "../6-reconcile/tree.js";
import { diskFailure, isDiskError } from "../6-reconcile/disk-failure.js";
import type { FileLayer } from "./file-layer.js";
import { WORK_FOLDER } from "./journal.js";

/*
 * We do not use a package for this, since packages that lock files judge a lock by its age: a killed run would delay
 * the next one, and a suspended run would lose its lock to another.
 */

const PROCESS_PATH = `${WORK_FOLDER}/process.json`;
/** Milliseconds between two attempts to take a lock that another run holds. */
const PAUSE = 50;

/** The properties of processes that the lock needs. */
export interface ProcessTable {
  readonly ownId: number;
  /** The start time of a running process, in any form; undefined if no such process runs. */
  startOf(processId: number): string | undefined;
  /** Runs `work` when this process exits, unless the returned function is called before. */
  atExit?(work: () => void): () => void;
}

/** The processes of this machine. */
export const runningProcesses: ProcessTable = {
  ownId: process.pid,
  startOf(processId) {
    try {
      process.kill(processId, 0);
    } catch (error) {
      if (!isDiskError(error) || error.code !== "EPERM") return undefined;
    }
    return startTimeOf(processId);
  },
  atExit(work) {
    process.once("exit", work);
    return () => process.removeListener("exit", work);
  },
};

/** The start time in clock ticks on Linux, which tells two processes with the same id apart; empty on other systems. */
function startTimeOf(processId: number): string {
  try {
    const fields = readFileSync(`/proc/${processId}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[19] ?? "";
  } catch {
    return "";
  }
}

/** A held lock, or why it could not be taken. */
export type ProcessLock =
  | { readonly kind: "held"; readonly release: () => void }
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] };

/** How the lock of a project is taken. */
export interface LockOptions {
  readonly processes: ProcessTable;
  /** Milliseconds to wait for another run. */
  readonly patience: number;
}

/**
 * Makes this process the only one that writes into the output folder. A missing folder is made. A lock whose
 * process has ended is taken over.
 */
export async function lockProject(
  root: string,
  files: FileLayer,
  { processes, patience }: LockOptions,
): Promise<ProcessLock> {
  const claim = new ProcessClaim(root, files, processes);
  try {
    for (let waited = 0; ; waited += PAUSE) {
      const holder = claim.attempt();
      if (typeof holder !== "number") return holder;
      if (waited >= patience) return refusedBy(holder);
      await pause(PAUSE);
    }
  } catch (error) {
    if (!isDiskError(error)) throw error;
    claim.release();
    return { kind: "refused", diagnostics: [diskFailure(root, error)] };
  }
}

function refusedBy(processId: number): ProcessLock {
  const diagnostic = lockedByAnotherRun(wholeFile(WORK_FOLDER), { processId });
  return { kind: "refused", diagnostics: [diagnostic] };
}

/** The attempt of a process to get the lock of a project. */
class ProcessClaim {
  private readonly work: string;
  private readonly path: string;
  private readonly content: string;
  private readonly madeFolders: string[] = [];
  private unreadableSeen = 0;

  constructor(
    private readonly root: string,
    private readonly files: FileLayer,
    private readonly processes: ProcessTable,
  ) {
    this.work = `${root}/${WORK_FOLDER}`;
    this.path = `${root}/${PROCESS_PATH}`;
    const { ownId } = processes;
    this.content = JSON.stringify({ processId: ownId, start: processes.startOf(ownId) ?? "" });
  }

  /** @returns the lock, a refusal, or the id of the process that holds it */
  attempt(): ProcessLock | number {
    this.makeFolders(this.work);
    const entry = new FolderTree(this.root, this.files).entry(PROCESS_PATH);
    if (entry.kind === "unsafe") {
      const diagnostic = unsafePath(wholeFile(entry.path), { found: entry.found });
      return { kind: "refused", diagnostics: [diagnostic] };
    }
    const found = this.read(this.path);
    if (found !== undefined) {
      const holder = this.holderOf(found);
      if (holder !== undefined) return holder;
      this.takeOver(found);
    }
    return this.create();
  }

  private create(): ProcessLock | number {
    const isMade = ignoring(["EEXIST", "ENOENT"], () =>
      this.files.create(this.path, Buffer.from(this.content)),
    );
    // Another run was quicker, or has just removed the folder.
    if (!isMade) return processOf(this.read(this.path))?.id ?? 0;
    this.removeLeftovers();
    const forget = this.processes.atExit?.(() => this.release());
    const release = (): void => {
      forget?.();
      this.release();
    };
    return { kind: "held", release };
  }

  /**
   * Releases everything that the claim holds, also a lock that was not written completely. If the system refuses
   * this, the lock stays; the next run takes it over, since this process ends.
   */
  release(): void {
    try {
      const written = this.read(this.path);
      if (written !== undefined && this.content.startsWith(written)) this.files.unlink(this.path);
      this.releaseFolders();
    } catch (error) {
      if (!isDiskError(error)) throw error;
    }
  }

  /** Removes the folders that this claim made and that are empty, innermost first. */
  private releaseFolders(): void {
    for (const folder of [this.work, ...this.madeFolders.reverse()]) {
      ignoring(["ENOENT", "ENOTEMPTY"], () => {
        if (this.files.list(folder).length === 0) this.files.removeFolder(folder);
      });
    }
  }

  /** The id of the running process that wrote this lock. While a lock is written, it is unreadable for a moment. */
  private holderOf(content: string): number | undefined {
    const process = processOf(content);
    if (process === undefined) return this.unreadableSeen++ === 0 ? 0 : undefined;
    return this.processes.startOf(process.id) === process.start ? process.id : undefined;
  }

  /** Takes over a lock. The lock is moved first, so that the later one of two processes that take it over notices. */
  private takeOver(stale: string): void {
    const aside = `${this.path}.${this.processes.ownId}`;
    ignoring(["ENOENT"], () => {
      this.files.rename(this.path, aside);
      if (this.read(aside) === stale) this.files.unlink(aside);
      else this.files.rename(aside, this.path);
    });
  }

  /** Removes the leftovers of runs that were killed while they took a lock over. */
  private removeLeftovers(): void {
    for (const name of this.files.list(this.work)) {
      const id = /^process\.json\.(\d+)$/.exec(name)?.[1];
      if (id === undefined || this.processes.startOf(Number(id)) !== undefined) continue;
      ignoring(["ENOENT"], () => this.files.unlink(`${this.work}/${name}`));
    }
  }

  private makeFolders(path: string): void {
    if (this.files.status(path) !== undefined) return;
    this.makeFolders(dirname(path));
    ignoring(["EEXIST"], () => {
      this.files.makeFolder(path);
      if (path !== this.work) this.madeFolders.push(path);
    });
  }

  private read(path: string): string | undefined {
    let content: string | undefined;
    ignoring(["ENOENT"], () => {
      content = Buffer.from(this.files.read(path)).toString();
    });
    return content;
  }
}

function processOf(content: string | undefined): { id: number; start: string } | undefined {
  const value = parsedJson(content ?? "");
  if (!isJsonObject(value)) return undefined;
  const { processId, start } = value;
  const isComplete = Number.isSafeInteger(processId) && typeof start === "string";
  return isComplete ? { id: Number(processId), start } : undefined;
}

/** @returns false when `work` failed with one of these errors */
function ignoring(codes: readonly string[], work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isDiskError(error) && codes.includes(error.code)) return false;
    throw error;
  }
}
