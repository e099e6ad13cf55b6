import type { AnswerMemory } from "../context/answer-memory.js";
import type { ActedFor } from "../context/acting.js";
import { extendContexts, type SharedValues } from "../context/context.js";
import { lateMember } from "../context/late-member.js";
import type { Authentication } from "../authentication/authentication.js";
import { Cancellation, type StopSignal } from "../engine/cancellation.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Limits } from "../engine/limits.js";
import type { Logger } from "../observe/log.js";
import type { ServerOptions } from "../server/create-server.js";
import type { Directories } from "../directories/directories.js";
import type { Directory } from "../directories/directory.js";
import type { Programs } from "../programs/programs.js";
import type { Facility } from "../server/facility.js";

/** Creates all backends of one kind. They connect at their first use. */
export type CreateBackends = (
  definition: ServerDefinition,
  options: ServerOptions,
  limits: Limits,
) => BackendsOfKind;

/** What backends need of the context of a call. */
export interface BoundCall {
  readonly signal: AbortSignal;
  /** For what somebody should look at. */
  readonly log?: Pick<Logger, "info" | "warning">;
}

/** All backends of one kind: upstreams, MCP servers, databases, programs or directories. */
export interface BackendsOfKind {
  /**
   * Creates the backends of one call. Its signal aborts everything that the call has started.
   * @param stop the same signal in a cheaper form, which is preferred if present
   * @param memory in which long answers are reserved before they are read
   * @param principal who calls; undefined if callers are not authenticated
   * @param caller all that is known of who calls
   * @param actedFor gets the services that were asked in the caller's name
   */
  bind(
    call: BoundCall,
    stop?: StopSignal,
    memory?: AnswerMemory,
    principal?: string,
    caller?: Authentication,
    actedFor?: ActedFor[],
  ): object;
  /** @returns a sentence for each backend that cannot be used now @throws SettingError if a setting is wrong */
  check(): Promise<readonly string[]>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** What backends are bound to, beside the context of the call. */
interface Binding {
  readonly stop: Cancellation | undefined;
  readonly memory: AnswerMemory | undefined;
  readonly caller: Authentication | undefined;
  readonly actedFor: ActedFor[] | undefined;
}

/** Adds the backends of each kind to the context of a call, for example as `ctx.upstreams`. */
type ExtendContext = (context: object, binding: Binding) => void;

/** The values that the handlers of a server with backends share. */
type ValuesWithBackends = SharedValues & { readonly addBackends?: ExtendContext };

extendContexts((context, caller, { addBackends }: ValuesWithBackends, call) => {
  const { memory, authentication, actedFor } = caller;
  const stop = call instanceof Cancellation ? call : undefined;
  addBackends?.(context, { stop, memory, caller: authentication, actedFor });
});

/** A context with the backends that every handler has. */
interface BoundAtOnce {
  readonly signal: AbortSignal;
  programs: object;
  directories: object;
}

/** Creates all backends of a server. */
export function createBackends(
  definition: ServerDefinition,
  options: ServerOptions,
  limits: Limits,
): Facility {
  const { createUpstreams, createServers, createDatabases } = definition;
  const kinds = Object.entries({
    upstreams: createUpstreams,
    servers: createServers,
    databases: createDatabases,
  }).flatMap(([name, create]) =>
    create === undefined ? [] : [[name, create(definition, options, limits)] as const],
  );
  const programs = latePrograms(definition, options);
  const directories = lateDirectories(definition, options);
  const all = [...kinds.map(([, backends]) => backends), programs, directories];
  const members = kinds.map(([name, backends]) =>
    lateMember(name, ({ stop, memory, caller, actedFor }: Binding, context) =>
      backends.bind(context as BoundCall, stop, memory, caller?.principal, caller, actedFor),
    ),
  );
  const addBackends: ExtendContext = (context, binding) => {
    for (const addTo of members) addTo(context, binding);
    // Every context has these, and to bind them takes less time than to define members that do it later.
    const handled = context as BoundAtOnce;
    handled.programs = programs.bind(handled, binding.stop, binding.memory);
    handled.directories = directories.bind(handled, binding.stop, binding.memory);
  };
  return {
    shared: { addBackends },
    check: async () => {
      const problems = await Promise.all(all.map((backends) => backends.check()));
      return problems.flat();
    },
    close: async () => {
      await Promise.all(all.map((backends) => backends.close()));
    },
  };
}

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
