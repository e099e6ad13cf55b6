import { EventQueue } from "../engine/event-queue.js";
import { countDrops } from "../observe/drop-counts.js";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { ResourceTemplateEntry, UriTemplatePart } from "../resources/definition.js";
import { expandUri } from "../resources/instances.js";
import { isServedPath } from "./directory.js";
import { FolderWatch, type WatchFolder } from "./folder-watch.js";

/** A directory of whose changes clients are notified. */
export interface WatchedDirectory {
  /** A path from the project's folder, or the environment variable with it. */
  readonly root: string | { readonly env: string };
  /** Whether files and folders count whose names begin with a dot; false by default. */
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
  { resourceTemplates }: Pick<ServerDefinition, "resourceTemplates">,
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

/** Watches folders and notifies clients of changed files. */
export class DirectoryWatch {
  readonly #controls: Partial<Controls>;
  readonly #log: Pick<Logger, "warning"> | undefined;
  readonly #watchFolder: WatchFolder | undefined;
  #watches: FolderWatch[] = [];
  readonly #changes = new EventQueue((dropped) => this.#drop(dropped));
  readonly #countDrops = countDrops((dropped) =>
    this.#log?.warning("changes of files were dropped, as too many came", { dropped }),
  );
  readonly #countFailures = countDrops((folders) =>
    this.#log?.warning("folders of directories are not watched any more", { folders }),
  );

  /** @param watchFolder replaces `watch` of Node.js in tests */
  constructor(
    controls: object | undefined,
    log: Pick<Logger, "warning"> | undefined,
    watchFolder?: WatchFolder,
  ) {
    this.#controls = controls ?? {};
    this.#log = log;
    this.#watchFolder = watchFolder;
  }

  /** Watches these folders only. @returns a sentence for each folder that cannot be watched */
  start(folders: readonly WatchedFolder[]): string[] {
    this.close();
    return folders.flatMap((watched) => this.#watch(watched));
  }

  close(): void {
    this.#changes.clear();
    for (const watch of this.#watches) watch.close();
    this.#watches = [];
  }

  #watch({ folder, hidden, parts }: WatchedFolder): string[] {
    const scanKey = `scan ${this.#watches.length}`;
    const watch: FolderWatch = new FolderWatch(
      folder,
      {
        isServed: (path) => isServedPath(path, hidden),
        changed: (path, isRenamed) =>
          this.#addChange(expandUri(parts, variablesOf(parts, path)), isRenamed),
        outdated: () => this.#changes.add(scanKey, () => watch.scan()),
        failed: () => this.#countFailures(1),
      },
      this.#watchFolder,
    );
    try {
      watch.start();
      this.#watches.push(watch);
      return [];
    } catch {
      return [`The directory ${folder} cannot be watched.`];
    }
  }

  #addChange(uri: string, isRenamed: boolean): void {
    this.#changes.add(`file ${uri}`, () => this.#controls.notify?.resourceUpdated?.(uri));
    // The file was created, renamed or removed.
    if (isRenamed) this.#changes.add("list", () => this.#controls.notify?.resourcesChanged?.());
  }

  #drop(dropped: number): void {
    this.#countDrops(dropped);
    for (const watch of this.#watches) watch.scan();
    this.#controls.events?.publishPossibleChanges();
  }
}

/** The notifications for clients; see `changes/`. */
interface Controls {
  readonly notify: Partial<Notifier>;
  readonly events: { publishPossibleChanges(): void };
}

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
