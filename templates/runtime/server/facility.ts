import type { CallsInFlight } from "../engine/calls-in-flight.js";
import type { Engine } from "../engine/engine.js";
import type { Methods } from "../engine/parts.js";
import type { RequestListener, RequestObserver } from "../observe/request-observer.js";
import type { FetchServer, ServerRequest } from "./requests.js";

/**
 * Something that only some servers have beside items and transports, such as metrics or databases. All
 * members are optional.
 */
export interface Facility {
  /** Members that it adds to the resources of handlers. */
  readonly resources?: object;
  /** Called when the engine is made. @returns the members that it adds to the server */
  join?(server: FacilityServer): object | undefined;
  /** Returns methods that do something before or after the given ones. */
  wrapMethods?(methods: Methods): Methods;
  /** Called with each finished request. */
  readonly observe?: RequestListener;
  /** Called with each refused request. */
  readonly observeRefusals?: RequestListener;
  /** Returns a function that does something before or after an HTTP request is answered. */
  wrapFetch?(fetch: FetchServer): FetchServer;
  /** Adds what it knows of an HTTP request or a connection, before the SDK makes a server for it. */
  complete?(request: ServerRequest): ServerRequest;
  /** @returns a sentence for each thing that cannot be used now @throws SettingError where a setting is wrong */
  check?(): Promise<readonly string[]>;
  close?(): Promise<void>;
}

/** The parts of a server that its facilities get. */
export interface FacilityServer {
  readonly engine: Engine;
  readonly calls: CallsInFlight;
  /** Undefined where nothing listens to requests. */
  readonly observer: RequestObserver | undefined;
}
