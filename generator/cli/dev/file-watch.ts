import { watch, type FSWatcher } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { differences, takeSnapshot, type Snapshot, type WatchedPaths } from "./watched-files.js";

/*
 * This is not `chokidar`: version 5 does not report a file in a folder that is created later, nor any file in a
 * folder that is deleted and created again at once.
 */

/** Milliseconds between two checks without an event, since watchers can fail, and network folders have none. */
const USUAL_INTERVAL = 2_000;
/** Milliseconds between two checks if the system has no watchers left. */
const SHORT_INTERVAL = 500;
/** A burst of changes is over after this number of milliseconds without a change. */
const CALM = 80;
/** After this number of milliseconds, a burst of changes is reported even if it goes on. */
const LONGEST_BURST = 2_000;

/** The part of `watch` of Node.js that is used here. */
export type WatchFolder = (
  folder: string,
  options: { readonly persistent: false },
  listener: (event: string) => void,
) => Pick<FSWatcher, "close" | "on">;

/**
 * Waits for changes of the watched files. It compares the files on the disk with a snapshot. Events of the system
 * only say when to compare, so that a lost or repeated event does no harm.
 */
export class FileWatch {
  readonly #paths: WatchedPaths;
  readonly #watchFor: WatchFolder;
  readonly #watchers = new Map<string, ReturnType<WatchFolder>>();
  #interval = USUAL_INTERVAL;
  /** Whether there was an event since the last check began. */
  #isDue = false;
  /** Ends the wait for the next check. Absent if nothing waits. */
  #checkNow: (() => void) | undefined;

  /** @param watchFor replaces `watch` of Node.js in tests */
  constructor(paths: WatchedPaths, watchFor: WatchFolder = watch) {
    this.#paths = paths;
    this.#watchFor = watchFor;
  }

  /** Takes a snapshot, and watches all its folders from now on. */
  snapshot(): Snapshot {
    this.#isDue = false;
    const snapshot = takeSnapshot(this.#paths);
    // A new folder was not watched until now: another snapshot finds the files that it got meanwhile.
    return this.#watchFolders(snapshot.folders) ? takeSnapshot(this.#paths) : snapshot;
  }

  /**
   * Waits until files differ from the snapshot `before` and the burst of changes is over.
   *
   * @returns the paths of these files; no path if `stop` was aborted
   */
  async changesSince(before: Snapshot, stop: AbortSignal): Promise<readonly string[]> {
    while (!stop.aborted) {
      const started = performance.now();
      if (differences(before, this.snapshot()).length > 0) {
        const changes = differences(before, await this.#calm());
        if (changes.length > 0) return changes;
      }
      await rest(started, stop);
      await this.#nextCheck(stop);
    }
    return [];
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Takes snapshots until two of them are equal. Returns the last one. */
  async #calm(): Promise<Snapshot> {
    let started = performance.now();
    const end = started + LONGEST_BURST;
    let current = this.snapshot();
    while (performance.now() < end) {
      await rest(started);
      started = performance.now();
      const later = this.snapshot();
      if (differences(current, later).length === 0) return later;
      current = later;
    }
    return current;
  }

  #nextCheck(stop: AbortSignal): Promise<void> {
    if (this.#isDue || stop.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        stop.removeEventListener("abort", end);
        this.#checkNow = undefined;
        resolve();
      };
      const timer = setTimeout(end, this.#interval);
      stop.addEventListener("abort", end);
      this.#checkNow = end;
    });
  }

  /** @returns true if a folder is watched that was not watched before */
  #watchFolders(folders: readonly string[]): boolean {
    const current = new Set(folders);
    for (const folder of [...this.#watchers.keys()]) if (!current.has(folder)) this.#forget(folder);
    this.#interval = USUAL_INTERVAL;
    const missing = [...current].filter((folder) => !this.#watchers.has(folder));
    return missing.filter((folder) => this.#watchFolder(folder)).length > 0;
  }

  #watchFolder(folder: string): boolean {
    try {
      const watcher = this.#watchFor(folder, { persistent: false }, (event) => {
        // The folder itself may have been deleted, which ends its watcher. The next check makes a new one.
        if (event === "rename") this.#forget(folder);
        this.#isDue = true;
        this.#checkNow?.();
      });
      watcher.on("error", () => this.#forget(folder));
      this.#watchers.set(folder, watcher);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#interval = SHORT_INTERVAL;
      return false;
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

/**
 * Waits after work that began at this time of `performance.now`, as long as it took and at least {@link CALM}. However
 * many events come, the process does other work in half of its time.
 */
async function rest(started: number, signal?: AbortSignal): Promise<void> {
  const ms = Math.max(CALM, performance.now() - started);
  await pause(ms, undefined, signal && { signal }).catch(() => undefined);
}
