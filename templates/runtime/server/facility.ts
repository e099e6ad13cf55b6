import type { ServerEventBus, Transport } from "@modelcontextprotocol/server";
import type { CallsInFlight } from "../engine/calls-in-flight.js";
import type { Engine } from "../engine/engine.js";
import type { Methods } from "../engine/feature.js";
import type { Metrics } from "../http/transport.js";
import type { RequestListener, RequestObserver } from "../observe/request-observer.js";
import type { Refusals } from "../observe/refusals.js";
import type { FetchServer, ServerRequest } from "./requests.js";

/**
 * An optional feature of a server beside its items and transports, such as metrics or databases. All
 * members are optional.
 */
export interface Facility {
  /** Values of the facility that all handlers share. */
  readonly shared?: object;
  /** Called when the engine is made. @returns the members that the facility adds to the server */
  join?(server: FacilityServer): object | undefined;
  /** Called with the metrics of a server that has some, after all facilities have joined it. */
  measure?(metrics: Metrics): void;
  /** Returns methods that call the given methods and do more before or after them. */
  wrapMethods?(methods: Methods): Methods;
  /** Called with each finished or refused request. */
  readonly observe?: RequestListener;
  /** Returns a function that calls `fetch` and does more before or after it. */
  wrapFetch?(fetch: FetchServer): FetchServer;
  /** Adds members to a request or connection, such as its caller, before an SDK server is made for it. */
  completeRequest?(request: ServerRequest): ServerRequest;
  /** Called with the transport of a lasting connection. @returns members for the connection's request */
  attachTransport?(transport: Transport): Partial<ServerRequest>;
  /** The events that the SDK sends to the clients that subscribe to them over HTTP. */
  readonly events?: ServerEventBus;
  /** @returns one sentence for each backend that cannot be used now @throws SettingError if a setting is wrong */
  check?(): Promise<readonly string[]>;
  /** Called once, when the server closes. */
  close?(): Promise<void>;
}

/** The parts of a server that its facilities get. */
export interface FacilityServer {
  readonly engine: Engine;
  readonly calls: CallsInFlight;
  readonly refusals: Refusals;
  /** Undefined if no facility listens to requests. */
  readonly observer: RequestObserver | undefined;
}
