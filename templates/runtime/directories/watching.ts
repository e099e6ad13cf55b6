import { statSync, watch, type FSWatcher } from "node:fs";
import { sep } from "node:path";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { ResourceTemplateEntry, UriTemplatePart } from "../resources/definition.js";
import { expandUri } from "../resources/instances.js";
import { isServedPath } from "./directory.js";

declare module "../resources/definition.js" {
  interface ResourceTemplateEntry {
    /** The directory of whose changes clients are notified. */
    readonly watch?: WatchedDirectory;
  }
}

interface WatchedDirectory {
  /** A path from the project's folder, or the environment variable with it. */
  readonly root: string | { readonly env: string };
  readonly hidden?: boolean;
}

/** A folder that is watched for a resource template. */
export interface WatchedFolder {
  readonly folder: string;
  readonly hidden: boolean;
  readonly parts: readonly UriTemplatePart[];
}

/** The absolute path of a directory; undefined if its root is not set. */
export type FolderOf = (root: string | undefined) => string | undefined;

/** The folders to watch for the resource templates of a server. */
export function watchedFolders(
  { resourceTemplates }: ServerDefinition,
  env: unknown,
  folderOf: FolderOf,
): WatchedFolder[] {
  const variables = (env ?? {}) as Readonly<Record<string, unknown>>;
  return resourceTemplates.flatMap(({ parts, watch: watched }: ResourceTemplateEntry) => {
    if (watched === undefined) return [];
    const { root, hidden = false } = watched;
    const folder = folderOf(typeof root === "string" ? root : String(variables[root.env] ?? ""));
    return folder === undefined ? [] : [{ folder, hidden, parts }];
  });
}

/** How long changes are collected before clients are notified, in milliseconds. */
const COLLECT_MS = 50;

/** Watches folders and notifies clients of changed files. */
export class DirectoryWatch {
  readonly #notify: Partial<Notifier> | undefined;
  readonly #log: Pick<Logger, "warning"> | undefined;
  #watchers: FSWatcher[] = [];
  readonly #changedUris = new Set<string>();
  #isListChanged = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(controls: object | undefined, log: Pick<Logger, "warning"> | undefined) {
    this.#notify = (controls as { readonly notify?: Partial<Notifier> } | undefined)?.notify;
    this.#log = log;
  }

  /** Watches these folders only. @returns a sentence for each folder that cannot be watched */
  start(folders: readonly WatchedFolder[]): string[] {
    this.close();
    return folders.flatMap((watched) => this.#watch(watched));
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  #watch(watched: WatchedFolder): string[] {
    const { folder } = watched;
    try {
      // In Node.js 24, `watch` does not fail for an absent folder, and never reports a change in it.
      statSync(folder);
      const watcher = watch(folder, { recursive: true, persistent: false });
      watcher.on("change", (kind, name) => this.#addChange(watched, kind, name));
      watcher.on("error", () =>
        this.#log?.warning("a directory is not watched any more", { folder }),
      );
      this.#watchers.push(watcher);
      return [];
    } catch {
      return [`The directory ${folder} cannot be watched.`];
    }
  }

  #addChange({ parts, hidden }: WatchedFolder, kind: string, name: string | Buffer | null): void {
    const path = String(name ?? "")
      .split(sep)
      .join("/");
    if (!isServedPath(path, hidden)) return;
    this.#changedUris.add(expandUri(parts, variablesOf(parts, path)));
    // The file was created, renamed or removed.
    if (kind === "rename") this.#isListChanged = true;
    this.#timer ??= setTimeout(() => this.#sendNotifications(), COLLECT_MS).unref();
  }

  #sendNotifications(): void {
    this.#timer = undefined;
    for (const uri of this.#changedUris) this.#notify?.resourceUpdated?.(uri);
    this.#changedUris.clear();
    if (this.#isListChanged) this.#notify?.resourcesChanged?.();
    this.#isListChanged = false;
  }
}

/** The notifications for clients; see `changes/`. */
interface Notifier {
  resourceUpdated(uri: string): void;
  resourcesChanged(): void;
}

/** The value of the one variable of a directory's template, which is the path of a file. */
function variablesOf(
  parts: readonly UriTemplatePart[],
  path: string,
): Record<string, string | string[]> {
  return Object.fromEntries(
    parts.flatMap((part) =>
      part.kind === "literal"
        ? []
        : part.names.map((name) => [name, part.explode ? path.split("/") : path]),
    ),
  );
}
