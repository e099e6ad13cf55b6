import type { RunningServer, ServerOptions } from "../server/create-server.js";
import type { LatePart, StatedDefinition } from "../server/server-part.js";
import type { StartFlags, TransportType, ValueOption } from "./command-line.js";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition, TransportDefinition } from "../engine/definition.js";
import type { Environment } from "./env.js";
import type { ProjectContext } from "./project-context.js";
import type { WorkerProcess } from "./worker-process.js";

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

/** A transport as a server names it: its settings, what it adds to the server, and how it is started. */
export interface ServedTransport {
  /** Its settings. */
  readonly definition: TransportDefinition;
  /** What the server needs for it. */
  readonly part?: LatePart;
  /** Makes the group that starts the transport. Transports with the same function are started together. */
  readonly group: (
    transports: readonly ServedTransport[],
    definition: StatedDefinition,
  ) => TransportGroup;
}

/** Transports of a server that are started together, such as all that listen on the network. */
export interface TransportGroup {
  /** The options that they add to the command line. */
  readonly options?: readonly ValueOption[];
  /** The names of the exports of `src/context.ts` that they call. */
  readonly contextExports?: readonly string[];
  /**
   * Returns what starts the transports of the group that are chosen; undefined if none is.
   * @param environment Where settings such as `PORT` come from; by default `process.env`.
   * @throws Error with a message for the user if an option is wrong
   */
  choose(
    declared: readonly TransportDefinition[],
    chosen: ReadonlySet<TransportType>,
    flags: StartFlags,
    environment?: Environment,
  ): ChosenTransports | undefined;
}

/** Where a transport listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** The parts of a server that the processes need among which it is divided. */
export interface DividedServer {
  readonly definition: StatedDefinition;
  readonly environment?: Environment;
  readonly root: string;
}

/** The transports of a group that the process serves. All members but `start` are optional. */
export interface ChosenTransports {
  /**
   * Divides the server among several processes: in a worker it returns what the worker has beside a process that serves
   * alone, and in the primary process undefined, when all workers serve. Absent where the transports cannot be divided.
   * @throws SettingError if a setting is wrong
   */
  divide?(server: DividedServer, count: number, log: Logger): Promise<WorkerProcess | undefined>;
  /**
   * Called before the runtime calls any function of the project. The module `src/context.ts` is already loaded.
   * @throws SettingError if `src/context.ts` has a mistake
   */
  prepare?(context: object): void;
  /**
   * Connects to what the transports share with other processes. Called before the services are made, and not in
   * mock mode.
   * @throws SettingError if a setting is wrong
   */
  connect?(definition: ServerDefinition, process: StartingProcess): Promise<void>;
  /** Returns options that the server needs for the callers of these transports. */
  serverOptions?<Env, Services>(
    context: ProjectContext<Env, Services>,
    env: Env,
    services: Services,
    definition: ServerDefinition,
    project: { readonly root: string; readonly log: Logger },
  ): Partial<ServerOptions>;
  /** Starts to serve. If a transport cannot be started, the process ends. */
  start(server: RunningServer, process: ServingProcess): Promise<void>;
}

/** A process whose services are not made yet. */
export interface StartingProcess extends Pick<ServerOptions, "controls"> {
  /** The values of the manifest's variables. */
  readonly env: object;
  readonly log: Logger;
  /** Set if the process serves together with others. */
  readonly worker?: WorkerProcess | undefined;
}

/** A process whose server is made. */
export interface ServingProcess {
  /** The values of the manifest's variables. */
  readonly env: object;
  /** Adds a transport, which is closed before the process ends. */
  add(transport: RunningTransport): void;
  /** Closes everything and ends the process. */
  stop(reason: string): void;
}
