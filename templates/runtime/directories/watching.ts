import { statSync, watch, type FSWatcher } from "node:fs";
import { sep } from "node:path";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { ResourceTemplateEntry, UriTemplatePart } from "../resources/definition.js";
import { expandUri } from "../resources/instances.js";
import { isServedPath } from "./directory.js";

declare module "../resources/definition.js" {
  interface ResourceTemplateEntry {
    /** The directory whose changes clients are told of. */
    readonly watch?: WatchedDirectory;
  }
}

interface WatchedDirectory {
  /** A path from the project's folder, or the environment variable that holds it. */
  readonly root: string | { readonly env: string };
  readonly hidden?: boolean;
}

/** A folder that is watched for the clients of a template. */
export interface WatchedFolder {
  readonly folder: string;
  readonly hidden: boolean;
  readonly parts: readonly UriTemplatePart[];
}

/** Where a directory is; undefined where the variable that says it is not set. */
export type FolderOf = (root: string | undefined) => string | undefined;

/** The folders that a server's templates want watched. */
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

/** Changes are told together that come within this time, in milliseconds. */
const COLLECTED_MS = 50;

/** Tells clients of changed files. */
export class DirectoryWatch {
  readonly #notify: Partial<Notifier> | undefined;
  readonly #log: Pick<Logger, "warning"> | undefined;
  #watchers: FSWatcher[] = [];
  readonly #changed = new Set<string>();
  #hasOtherFiles = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(notify: object | undefined, log: Pick<Logger, "warning"> | undefined) {
    this.#notify = notify;
    this.#log = log;
  }

  /** @returns which folders cannot be watched, a sentence each */
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
      // Node.js 24 watches a folder that is absent without an error, and tells of no change in it.
      statSync(folder);
      const watcher = watch(folder, { recursive: true, persistent: false });
      watcher.on("change", (kind, name) => this.#note(watched, kind, name));
      watcher.on("error", () =>
        this.#log?.warning("a directory is not watched any more", { folder }),
      );
      this.#watchers.push(watcher);
      return [];
    } catch {
      return [`The directory ${folder} cannot be watched.`];
    }
  }

  #note({ parts, hidden }: WatchedFolder, kind: string, name: string | Buffer | null): void {
    const path = String(name ?? "")
      .split(sep)
      .join("/");
    if (!isServedPath(path, hidden)) return;
    this.#changed.add(expandUri(parts, variablesOf(parts, path)));
    // A file was made, renamed or removed.
    if (kind === "rename") this.#hasOtherFiles = true;
    this.#timer ??= setTimeout(() => this.#tell(), COLLECTED_MS).unref();
  }

  #tell(): void {
    this.#timer = undefined;
    for (const uri of this.#changed) this.#notify?.resourceUpdated?.(uri);
    this.#changed.clear();
    if (this.#hasOtherFiles) this.#notify?.resourcesChanged?.();
    this.#hasOtherFiles = false;
  }
}

/** What clients can be told; `changes/` has its meaning. */
interface Notifier {
  resourceUpdated(uri: string): void;
  resourcesChanged(): void;
}

/** The one variable of a directory's template. */
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
