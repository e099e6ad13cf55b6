import { resolve } from "node:path";
import type { BackendsOfKind } from "../backends/backends.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { AnswerMemory } from "../context/answer-memory.js";
import { NotImplementedError } from "../engine/errors.js";
import type { ResourceTemplateEntry } from "../resources/definition.js";
import type { ServerOptions } from "../server/create-server.js";
import { OpenDirectory, type Directory, type DirectoryOptions } from "./directory.js";
import type { DirectoryCall } from "./listing.js";
import { DirectoryWatch, watchedFolders, type FolderOf } from "./watching.js";

/** The directories that handlers read. */
export interface Directories {
  /** @param root the path of the folder, from the project's folder; the directory has no files if it is undefined */
  open(root: string | undefined, options?: DirectoryOptions): Directory;
}

/** Creates the directories of a server. Clients are notified of changes in those that the definition watches. */
export function createDirectories(
  definition: ServerDefinition,
  options: Pick<ServerOptions, "env" | "controls" | "log" | "mock" | "root" | "directories">,
): BackendsOfKind {
  const folderOf: FolderOf = (root = "") =>
    root === "" ? undefined : (options.directories ?? resolve(options.root, root));
  const skillRoots = new Set((definition.skillFolders ?? []).map(({ root }) => root));
  const watch = new DirectoryWatch(options.controls, options.log);
  return {
    bind: (call, _stop, memory): Directories =>
      options.mock
        ? mockedBut(skillRoots, directoriesFor(call as DirectoryCall, folderOf, memory))
        : directoriesFor(call as DirectoryCall, folderOf, memory),
    check: async () => {
      const isWatched = ({ watch: watched }: ResourceTemplateEntry): boolean =>
        !options.mock || (typeof watched?.root === "string" && skillRoots.has(watched.root));
      const resourceTemplates = definition.resourceTemplates.filter(isWatched);
      return watch.start(watchedFolders({ resourceTemplates }, options.env, folderOf));
    },
    close: async () => watch.close(),
  };
}

function directoriesFor(
  call: DirectoryCall,
  folderOf: FolderOf,
  memory: AnswerMemory | undefined,
): Directories {
  return { open: (root, options) => new OpenDirectory(folderOf(root), call, options, memory) };
}

/** Ends a handler in mock mode at the first directory that it opens; the server then answers with a mock. */
class MockedDirectoryError extends NotImplementedError {
  constructor(root = "") {
    super("");
    this.message = `The directory ${root} is not read in mock mode`;
  }
}

/** The directories of mock mode: skills are read, since clients verify their files by digests, and others are not. */
function mockedBut(skillRoots: ReadonlySet<string>, directories: Directories): Directories {
  return {
    open: (root, options) => {
      if (root !== undefined && skillRoots.has(root)) return directories.open(root, options);
      throw new MockedDirectoryError(root);
    },
  };
}
