import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ExceededLimit } from "../observe/refusals.js";
import type { Awaitable } from "../engine/awaitable.js";
import type { RunningServer } from "../server/create-server.js";
import type { Environment } from "../start/env.js";
import type { RunningTransport } from "../start/transport.js";
import type { NetworkDefinition } from "./definition.js";

/** A listener that has started, with its URLs. */
export interface RunningHttp extends RunningTransport {
  /** The URL of the first endpoint, such as `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  /** The URL of each endpoint, by the type of its transport. */
  readonly urls: ReadonlyMap<NetworkDefinition["type"], string>;
}

/** Answers a request of one path, whatever its method. If it fails, the client gets an internal error. */
export type Page = (request: IncomingMessage, response: ServerResponse) => Awaitable<void>;

/** Takes over the connection of a request that asks for another protocol. If it fails, the connection is closed. */
export type UpgradePage = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) => Awaitable<void>;

/** A transport of a listener. A listener may have several. */
export interface Endpoint {
  readonly definition: NetworkDefinition;
  /** By path. */
  readonly pages: ReadonlyMap<string, Page>;
  readonly upgradePages?: ReadonlyMap<string, UpgradePage>;
  /** Whether a running call may wait for an answer that its client sends in another request. */
  readonly takesClientAnswers?: boolean;
  /** Starts to refuse new requests, and ends those that are incomplete. */
  stop(): void;
  /** Resolves when every accepted request is answered; open streams do not count. */
  answered(): Promise<void>;
  /** Ends the open streams, and resolves when they have ended. */
  end(): Promise<void>;
}

/** Makes the endpoint of a transport. */
export type MakeEndpoint<Definition> = (server: RunningServer, definition: Definition) => Endpoint;

/**
 * Serves endpoints of the same host and port.
 * @param environment Where the paths of TLS files come from; by default `process.env`.
 * @throws Error if the address cannot be listened on
 */
export type Listen = (
  server: RunningServer,
  endpoints: readonly [Endpoint, ...Endpoint[]],
  environment?: Environment,
) => Promise<RunningHttp>;

/** Labels that distinguish the values of a metric. */
export type MetricLabels = Readonly<Record<string, string>>;

/** The metrics of a server. `observe/metrics-page.ts` declares the other members. */
export interface Metrics {
  /** Adds a metric that goes up and down. It is read when the page of metrics is requested. */
  gauge(name: string, help: string, read: () => number, labels?: MetricLabels): void;
  /** Adds a metric that only grows. `read` is called whenever the page is requested. */
  counter(name: string, help: string, read: () => number, labels?: MetricLabels): void;
  /**
   * All metrics, in the text format of Prometheus.
   * @param mayKnow Whether the reader may know that there are items with a name. Others count as `other`.
   */
  page(mayKnow?: (name: string) => boolean): string;
}

/** The answer to a refused request. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason in the log, if it differs from the message to the client. */
  readonly cause?: RefusalCause;
  /** The limit that the request exceeded. */
  readonly exceeded?: ExceededLimit;
}

/** Why a request was refused for a name in its headers. */
export interface RefusalCause {
  readonly reason: string;
  /** The refused name, safe to print. */
  readonly received: string;
  /** The setting of the transport that would allow it; absent if none would. */
  readonly setting?: string;
}

/** A JSON-RPC error that belongs to no request. */
export interface HttpError extends Refusal {
  /** The JSON-RPC error code; -32000 by default. */
  readonly code?: number | undefined;
}
