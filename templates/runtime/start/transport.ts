import type { Readable, Writable } from "node:stream";
import type { RunningServer, ServerOptions } from "../server/create-server.js";
import type { StartFlags, TransportType, ValueOption } from "./command-line.js";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition, TransportDefinition } from "../engine/definition.js";
import type { ProjectContext } from "./project-context.js";

/**
 * How long a server continues to serve after it has reported that it is not ready, in milliseconds. In this
 * time, load balancers notice the report.
 */
export const noticeMs = 3_000;

/** How long running calls may take to finish when the server stops, in milliseconds. */
export const drainMs = 10_000;

/** How long services may take to close after the running calls have ended, in milliseconds. */
export const servicesMs = 5_000;

/** How long the last answers may take to be written, in milliseconds. */
export const writeMs = 1_000;

/** A transport that serves until it is closed. */
export interface RunningTransport {
  /** Accepts no new requests, waits up to {@link drainMs} for running calls, then closes. */
  close(): Promise<void>;
}

/**
 * Serves one client. It reads from `input`, by default stdin, and writes to `output`.
 * @param onEnd Called once, when the client has closed the input and all its requests are answered.
 */
export type ServeStdio = (
  server: RunningServer,
  output: Writable,
  onEnd: () => void,
  input?: Readable,
) => RunningTransport;

/** Serves the project's own transport. `serveCustom` of `custom-transport.ts` makes it. */
export type ServeCustom = (server: RunningServer, env: unknown) => Promise<RunningTransport>;

/** Imports the code that serves a transport. It is called only if the transport is served. */
export type Load<Part> = () => Promise<Part>;

/** The transports that listen on the network. `serveNetwork` of `http/start-network.ts` makes them. */
export interface NetworkTransports {
  readonly options: readonly ValueOption[];
  /** The names of the exports of `src/context.ts` that they call. */
  readonly contextExports: readonly string[];
  choose(
    declared: readonly TransportDefinition[],
    chosen: ReadonlySet<TransportType>,
    flags: StartFlags,
  ): NetworkStart | undefined;
}

/** The listeners that the command line has chosen. */
export interface NetworkStart {
  /** @throws SettingError if `src/context.ts` has a mistake that would let every caller in */
  checkContext(context: object): void;
  /** Connects the process with the other replicas, where the manifest has `scale`. */
  join(
    definition: ServerDefinition,
    process: Pick<ServerOptions, "controls"> & { readonly env: object; readonly log: Logger },
  ): Promise<void>;
  /** Returns the server options that are needed to authenticate callers. */
  serverOptions<Env, Services>(
    context: ProjectContext<Env, Services>,
    env: Env,
    services: Services,
    definition: ServerDefinition,
    project: { readonly root: string; readonly log: Logger },
  ): Partial<ServerOptions>;
  /** Starts each listener and passes it to `add` when it listens. If one fails, the process ends. */
  start(server: RunningServer, add: (transport: RunningTransport) => void): Promise<void>;
}
