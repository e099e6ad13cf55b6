import { watch, type FSWatcher } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { differences, takeSnapshot, type Snapshot, type WatchedPlaces } from "./watched-files.js";

/*
 * Our own, since `chokidar` 5 says nothing of a file below folders that are made later, nor of any in a folder that
 * was deleted and made again at once.
 */

/** Milliseconds between two looks that nothing asked for: watchers get lost, and network folders have none. */
const USUAL_INTERVAL = 2_000;
/** The same where the system has no watchers left. */
const SHORT_INTERVAL = 500;
/** Milliseconds without a change after which a burst of them counts as over. */
const CALM = 80;
/** Milliseconds after which a burst that does not end is looked at all the same. */
const LONGEST_BURST = 2_000;

/** `watch` of Node.js, as far as it is used here. */
export type WatchFolder = (
  folder: string,
  options: { readonly persistent: false },
  listener: (event: string) => void,
) => Pick<FSWatcher, "close" | "on">;

/**
 * Waits for changes of the watched files. What counts is what is on the disk when it looks; events
 * of the system only say when to look, so that a lost or doubled one does no harm.
 */
export class FileWatch {
  readonly #places: WatchedPlaces;
  readonly #watchFor: WatchFolder;
  readonly #watchers = new Map<string, ReturnType<WatchFolder>>();
  #interval = USUAL_INTERVAL;
  #look: (() => void) | undefined;

  /** @param watchFor the system's watching, for tests */
  constructor(places: WatchedPlaces, watchFor: WatchFolder = watch) {
    this.#places = places;
    this.#watchFor = watchFor;
  }

  snapshot(): Snapshot {
    const snapshot = takeSnapshot(this.#places);
    // Looked at again, since nobody watched a new folder until now.
    return this.#watchFolders(snapshot.folders) ? takeSnapshot(this.#places) : snapshot;
  }

  /**
   * Paths that differ from `before`, once there are some and the burst is over.
   *
   * @returns none when it was told to stop waiting
   */
  async changesSince(before: Snapshot, stop: AbortSignal): Promise<readonly string[]> {
    while (!stop.aborted) {
      if (differences(before, this.snapshot()).length > 0) {
        const changes = differences(before, await this.#calm());
        if (changes.length > 0) return changes;
      }
      await this.#nextLook(stop);
    }
    return [];
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  async #calm(): Promise<Snapshot> {
    let current = this.snapshot();
    for (let waited = 0; waited < LONGEST_BURST; waited += CALM) {
      await pause(CALM);
      const later = this.snapshot();
      if (differences(current, later).length === 0) return later;
      current = later;
    }
    return current;
  }

  #nextLook(stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        stop.removeEventListener("abort", end);
        this.#look = undefined;
        resolve();
      };
      const timer = setTimeout(end, this.#interval);
      stop.addEventListener("abort", end);
      this.#look = end;
    });
  }

  /** @returns whether there is a watcher that was not there before */
  #watchFolders(folders: readonly string[]): boolean {
    const wanted = new Set(folders);
    for (const folder of [...this.#watchers.keys()]) if (!wanted.has(folder)) this.#forget(folder);
    this.#interval = USUAL_INTERVAL;
    const missing = [...wanted].filter((folder) => !this.#watchers.has(folder));
    return missing.filter((folder) => this.#watchFolder(folder)).length > 0;
  }

  #watchFolder(folder: string): boolean {
    try {
      const watcher = this.#watchFor(folder, { persistent: false }, (event) => {
        // The folder itself may have gone, and its watcher with it: a new one is made at the next look.
        if (event === "rename") this.#forget(folder);
        this.#look?.();
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
