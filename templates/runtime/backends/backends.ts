import { extendContexts, type HandlerResources } from "../context/context.js";
import { Cancellation, type StopSignal } from "../engine/cancellation.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Limits } from "../engine/limits.js";
import type { ServerOptions } from "../server/create-server.js";
import type { Facility } from "../server/facility.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    readonly createUpstreams?: CreateBackends;
    readonly createServers?: CreateBackends;
    readonly createDatabases?: CreateBackends;
    readonly createPrograms?: CreateBackends;
    readonly createDirectories?: CreateBackends;
  }
}

/** Makes all backends of one kind. Nothing is connected to before it is asked for. */
export type CreateBackends = (
  definition: ServerDefinition,
  options: ServerOptions,
  limits: Limits,
) => BackendsOfKind;

/** The upstreams of a server, other MCP servers, its databases, the programs that it runs, or the directories that it reads. */
export interface BackendsOfKind {
  /**
   * Makes what one call gets, whose signal ends what the call has begun.
   *
   * @param stop says the same as the signal, which costs more
   */
  bind(call: { readonly signal: AbortSignal }, stop?: StopSignal): object;
  /** Says which cannot be asked for now, a sentence each. @throws SettingError where a setting will not do */
  check(): Promise<readonly string[]>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Gives the context of a call what its handler asks, under its names: `ctx.upstreams`, say. */
type ExtendContext = (context: object, stop: Cancellation | undefined) => void;

/** What a server with backends has for its handlers. */
type Resources = HandlerResources & { readonly addBackends?: ExtendContext };

extendContexts((context, _caller, { addBackends }: Resources, call) =>
  addBackends?.(context, call instanceof Cancellation ? call : undefined),
);

/** Makes all that the handlers of a server ask. */
export function createBackends(
  definition: ServerDefinition,
  options: ServerOptions,
  limits: Limits,
): Facility {
  const { createUpstreams, createServers, createDatabases } = definition;
  const { createPrograms, createDirectories } = definition;
  const kinds = Object.entries({
    upstreams: createUpstreams,
    servers: createServers,
    databases: createDatabases,
    programs: createPrograms,
    directories: createDirectories,
  }).flatMap(([name, create]) =>
    create === undefined ? [] : [[name, create(definition, options, limits)] as const],
  );
  const addBackends: ExtendContext = (context, stop) => {
    for (const [name, backends] of kinds) addTo(context, name, backends, stop);
  };
  return {
    resources: { addBackends },
    check: async () => {
      const problems = await Promise.all(kinds.map(([, backends]) => backends.check()));
      return problems.flat();
    },
    close: async () => {
      await Promise.all(kinds.map(([, backends]) => backends.close()));
    },
  };
}

function addTo(
  context: object,
  name: string,
  backends: BackendsOfKind,
  stop: Cancellation | undefined,
): void {
  let bound: object | undefined;
  Object.defineProperty(context, name, {
    enumerable: true,
    get: () => (bound ??= backends.bind(context as { readonly signal: AbortSignal }, stop)),
  });
}
