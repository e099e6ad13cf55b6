import type { Readable, Writable } from "node:stream";
import type { RunningServer, ServerOptions } from "../server/create-server.js";
import type { StartFlags, TransportType, ValueOption } from "./command-line.js";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition, TransportDefinition } from "../engine/definition.js";
import type { ProjectContext } from "./project-context.js";

/**
 * How long a server goes on after it has reported that it is not ready, so that balancers notice, in
 * milliseconds.
 */
export const noticeMs = 3_000;

/** How long running calls may take to finish when the server stops, in milliseconds. */
export const drainMs = 10_000;

/** How long services may take to close after that, in milliseconds. */
export const servicesMs = 5_000;

/** How long the last answers may take to be written, in milliseconds. */
export const writeMs = 1_000;

/** A transport that serves until it is closed. */
export interface RunningTransport {
  /** Takes no new requests, lets running calls finish within {@link drainMs}, then closes. */
  close(): Promise<void>;
}

/**
 * Serves one client on the given input, by default stdin, and output.
 * @param onEnd Called once when the client has closed its end and has its answers.
 */
export type ServeStdio = (
  server: RunningServer,
  output: Writable,
  onEnd: () => void,
  input?: Readable,
) => RunningTransport;

/** Serves the project's own transport. `serveCustom` of `custom-transport.ts` makes it. */
export type ServeCustom = (server: RunningServer, env: unknown) => Promise<RunningTransport>;

/** Loads what serves a transport, once that is to be served. */
export type Load<Part> = () => Promise<Part>;

/** The transports behind listeners. `serveNetwork` of `http/start-network.ts` makes them. */
export interface NetworkTransports {
  readonly options: readonly ValueOption[];
  choose(
    declared: readonly TransportDefinition[],
    chosen: ReadonlySet<TransportType>,
    flags: StartFlags,
  ): NetworkStart | undefined;
}

/** The listeners that are to be started. */
export interface NetworkStart {
  /** Connects the process with the other replicas, where the manifest has `scale`. */
  join(
    definition: ServerDefinition,
    process: Pick<ServerOptions, "live"> & { readonly env: object; readonly log: Logger },
  ): Promise<void>;
  /** The options of the server that authenticate callers. */
  serverOptions<Env, Services>(
    context: ProjectContext<Env, Services>,
    env: Env,
    services: Services,
    definition: ServerDefinition,
    project: { readonly root: string; readonly log: Logger },
  ): Partial<ServerOptions>;
  /** Starts each, and hands it over when it listens; the process ends where one cannot. */
  start(server: RunningServer, add: (transport: RunningTransport) => void): Promise<void>;
}
