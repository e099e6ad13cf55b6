import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex, Readable, Writable } from "node:stream";
import type { RunningServer } from "../server/create-server.js";
import type { NetworkDefinition } from "../engine/definition.js";

/** How long running calls may take to finish when the server stops, in milliseconds. */
export const drainMs = 10_000;

/** How long the last answers may take to be written, in milliseconds. */
export const writeMs = 1_000;

/** A transport that serves until it is closed. */
export interface RunningTransport {
  /** Takes no new work, lets what runs finish within {@link drainMs}, then closes. */
  close(): Promise<void>;
}

/**
 * Serves one client on stdin and the given output.
 * @param onEnd Called once when the client has closed its end and has its answers.
 */
export type ServeStdio = (
  server: RunningServer,
  output: Writable,
  onEnd: () => void,
  /** By default stdin. */
  input?: Readable,
) => RunningTransport;

/** Serves the transport of the project's own: what `serveCustom` of `custom-transport.ts` makes. */
export type ServeCustom = (server: RunningServer, env: unknown) => Promise<RunningTransport>;

/** A listener with its address, which is known once it listens. */
export interface RunningHttp extends RunningTransport {
  /** Where clients of the first endpoint connect: `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  /** The same for each endpoint, by the type of its transport. */
  readonly urls: ReadonlyMap<NetworkDefinition["type"], string>;
}

/** Answers a request of one path, whatever its method. */
export type Page = (request: IncomingMessage, response: ServerResponse) => void;

/** Takes over the connection of a request that asks for another protocol. */
export type UpgradePage = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** A transport behind a listener, which may have several. */
export interface Endpoint {
  readonly definition: NetworkDefinition;
  /** By path. */
  readonly pages: ReadonlyMap<string, Page>;
  readonly upgradePages?: ReadonlyMap<string, UpgradePage>;
  /** Refuses new requests from now on, and cuts those that have not arrived whole. */
  stop(): void;
  /** Resolves when every request that was accepted is answered; open streams do not count. */
  answered(): Promise<void>;
  /** Ends the streams that are open still, and resolves when they have ended. */
  end(): Promise<void>;
}

/** Loads what serves a transport, once that is to be served. */
export type Load<Part> = () => Promise<Part>;

/** Makes the endpoint of a transport: `httpEndpoint` of `http.ts`, say. */
export type MakeEndpoint<Definition> = (server: RunningServer, definition: Definition) => Endpoint;

/**
 * Serves endpoints of the same host and port.
 * @throws Error when the address cannot be listened on
 */
export type Listen = (
  server: RunningServer,
  endpoints: readonly [Endpoint, ...Endpoint[]],
) => Promise<RunningHttp>;
