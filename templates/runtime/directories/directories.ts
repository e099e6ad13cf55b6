import { resolve } from "node:path";
import type { BackendsOfKind } from "../backends/backends.js";
import type { ServerDefinition } from "../engine/definition.js";
import { NotImplementedError } from "../engine/errors.js";
import type { ServerOptions } from "../server/create-server.js";
import { OpenDirectory, type Directory, type DirectoryOptions } from "./directory.js";
import type { DirectoryCall } from "./listing.js";
import { DirectoryWatch, watchedFolders, type FolderOf } from "./watching.js";

declare module "../server/create-server.js" {
  interface ServerOptions {
    /** For tests: the folder that is read instead of every directory. */
    readonly directories?: string | undefined;
  }
}

/** Opens directories for handlers. */
export interface Directories {
  /** @param root the folder, from the project's; without it there are no files */
  open(root: string | undefined, options?: DirectoryOptions): Directory;
}

/** Makes what reads the directories of a server, and tells clients of changes in those that are watched. */
export function createDirectories(
  definition: ServerDefinition,
  options: Pick<ServerOptions, "env" | "live" | "log" | "mock" | "root" | "directories">,
): BackendsOfKind {
  const folderOf: FolderOf = (root = "") =>
    root === "" ? undefined : (options.directories ?? resolve(options.root, root));
  const watch = new DirectoryWatch(options.live?.notify, options.log);
  return {
    bind: (call): Directories =>
      options.mock ? MOCKED : openingFor(call as DirectoryCall, folderOf),
    check: async () => {
      if (options.mock) return [];
      return watch.start(watchedFolders(definition, options.env, folderOf));
    },
    close: async () => watch.close(),
  };
}

function openingFor(call: DirectoryCall, folderOf: FolderOf): Directories {
  return { open: (root, options) => new OpenDirectory(folderOf(root), call, options) };
}

/** In mock mode a handler gets as far as its first directory, and its item is then answered for. */
class MockedDirectoryError extends NotImplementedError {
  constructor(root = "") {
    super("");
    this.message = `The directory ${root} is not read in mock mode`;
  }
}

const MOCKED: Directories = {
  open: (root) => {
    throw new MockedDirectoryError(root);
  },
};
