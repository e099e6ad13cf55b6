import type { ServerDefinition } from "../engine/definition.js";
import type { Directories } from "../directories/directories.js";
import type { Directory } from "../directories/directory.js";
import type { Programs } from "../programs/programs.js";
import type { ServerOptions } from "../server/create-server.js";
import type { BackendsOfKind } from "./backends.js";

/*
 * Programs and directories are there in every server, since their paths and commands stand in handlers. Most servers use
 * neither, so that their code is imported at the first use.
 */

/** The programs that the handlers of any server may run. */
export function latePrograms(definition: ServerDefinition, options: ServerOptions): BackendsOfKind {
  const programs = new LateBackends(async () => {
    const { createPrograms } = await import("../programs/programs.js");
    return createPrograms(definition, options);
  });
  return {
    bind: (call, stop, memory): Programs => ({
      run: async (command, runOptions) => {
        const bound = (await programs.load()).bind(call, stop, memory) as Programs;
        return bound.run(command, runOptions);
      },
    }),
    check: async () => [],
    close: () => programs.close(),
  };
}

/** The directories that the handlers of any server may read. Those of the definition are watched from the start on. */
export function lateDirectories(
  definition: ServerDefinition,
  options: ServerOptions,
): BackendsOfKind {
  const directories = new LateBackends(async () => {
    const { createDirectories } = await import("../directories/directories.js");
    return createDirectories(definition, options);
  });
  const isWatched = definition.resourceTemplates.some(({ watch }) => watch !== undefined);
  return {
    bind: (call, stop, memory): Directories => ({
      open: (root, openOptions) =>
        lateDirectory(async () => {
          const bound = (await directories.load()).bind(call, stop, memory) as Directories;
          return bound.open(root, openOptions);
        }),
    }),
    check: async () => (isWatched ? (await directories.load()).check() : []),
    close: () => directories.close(),
  };
}

/** A directory that is opened when it is first used. */
function lateDirectory(open: () => Promise<Directory>): Directory {
  let opened: Promise<Directory> | undefined;
  const directory = (): Promise<Directory> => (opened ??= open());
  return {
    read: async (path) => (await directory()).read(path),
    list: async () => (await directory()).list(),
    complete: async (prefix) => (await directory()).complete(prefix),
  };
}

/** Backends that are made when they are first used. */
class LateBackends {
  readonly #make: () => Promise<BackendsOfKind>;
  #made: Promise<BackendsOfKind> | undefined;

  constructor(make: () => Promise<BackendsOfKind>) {
    this.#make = make;
  }

  load(): Promise<BackendsOfKind> {
    return (this.#made ??= this.#make());
  }

  async close(): Promise<void> {
    await (await this.#made)?.close();
  }
}
