import type { CallsInFlight } from "../engine/calls-in-flight.js";
import type { Engine } from "../engine/engine.js";
import type { Methods } from "../engine/parts.js";
import type { RequestListener, RequestObserver } from "../observe/request-observer.js";
import type { FetchServer, ServerRequest } from "./requests.js";

/** Something that only some servers have beside items and transports. Each facility does some of this. */
export interface Facility {
  /** What it adds to the resources of handlers. */
  readonly resources?: object;
  /** Takes its place in the server, once the engine is made. Returns the members that it adds to the server. */
  join?(server: FacilityServer): object | undefined;
  /** Returns the methods with something done before and after each answer. */
  wrapMethods?(methods: Methods): Methods;
  /** Is told of each request that is over. */
  readonly observe?: RequestListener;
  /** Is told of each request that was refused. */
  readonly observeRefusals?: RequestListener;
  /** Answers HTTP requests in place of what answers them without it. */
  wrapFetch?(fetch: FetchServer): FetchServer;
  /** Adds what it knows of the HTTP request or connection that the SDK makes a server for. */
  complete?(request: ServerRequest): ServerRequest;
  /** Says what cannot be used now, a sentence each. @throws SettingError where a setting is wrong */
  check?(): Promise<readonly string[]>;
  close?(): Promise<void>;
}

/** What a facility gets of the server that it joins. */
export interface FacilityServer {
  readonly engine: Engine;
  readonly calls: CallsInFlight;
  /** Absent where nobody is told of requests. */
  readonly observer: RequestObserver | undefined;
}
