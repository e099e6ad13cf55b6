import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Transport } from "@modelcontextprotocol/server";
import type { RunningServer } from "../server/create-server.js";
import type { RunningTransport } from "../start/transport.js";
import type { NetworkDefinition } from "./definition.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Limits the open questions to a client with a lasting connection. */
    readonly limitQuestions?: (server: RunningServer, transport: Transport, holder: string) => void;
  }
}

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
  /** Whether a running call may wait for an answer that its client sends in another request. */
  readonly hearsClients?: boolean;
  /** Refuses new requests from now on, and ends those that have not arrived whole. */
  stop(): void;
  /** Resolves when every accepted request is answered; open streams do not count. */
  answered(): Promise<void>;
  /** Ends the open streams, and resolves when they have ended. */
  end(): Promise<void>;
}

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

/** Labels that tell the readings of a metric apart. */
export type MetricLabels = Readonly<Record<string, string>>;

declare module "../server/create-server.js" {
  interface RunningServer {
    /** Its metrics, where the manifest asks for a page of them. */
    readonly metrics?: Metrics;
    /** Whether something records the addresses of clients. */
    readonly recordsAddresses?: boolean;
  }
}

/** The metrics of a server; `observe/metrics-page.ts` declares the other members. */
export interface Metrics {
  /** Adds a metric that goes up and down. It is read when the page is. */
  gauge(name: string, help: string, read: () => number, labels?: MetricLabels): void;
}

/** Why a request goes no further. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}
