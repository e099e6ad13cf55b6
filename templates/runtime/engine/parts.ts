import type {
  CacheHint,
  McpServer,
  Result,
  ServerCapabilities,
  ServerEventBus,
  Transport,
} from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import type { FetchServer, ServerRequest } from "../server/requests.js";
import type { Awaitable } from "./awaitable.js";
import type { Item } from "./item.js";
import type { RequestParameters } from "./request-parameters.js";

export interface Feature {
  /** The capabilities that it adds to the server's. */
  readonly capabilities: ServerCapabilities;
  readonly methods: Methods;
  /** Prepares in the background what requests would otherwise wait for. */
  readonly prepare?: () => void;
}

/** Methods of the protocol, by their names. */
export type Methods = Readonly<Record<string, Method>>;

/** How the requests of one method are answered. */
export interface Method {
  /** The parameters that a request may have, beside `_meta`. */
  readonly parameters: readonly string[];
  /** Whether a result that is no promise is the same object for every caller, until it changes. */
  readonly isShared?: boolean;
  /** Caching hints of results without hints of their own; absent where the protocol wants none. */
  readonly caching?: CacheHint;
  /** @throws ProtocolError, at once or by its promise, where the request is refused */
  answer(parameters: RequestParameters, caller: Caller): Awaitable<Result>;
  /** The item that a request names; undefined where there is none, or it is switched off. */
  itemOf?(parameters: RequestParameters): Item | undefined;
}

/** Which items of one kind are switched on. */
export interface ItemStates {
  /** Grows with every change. */
  readonly version: number;
  /** Whether any item can be switched on and off. */
  readonly exist: boolean;
  isOn(name: string): boolean;
}

/** What changes while a server runs: which items are switched on, and the notifications of changes. */
export interface LiveState {
  readonly tools: ItemStates;
  readonly resources: ItemStates;
  readonly prompts: ItemStates;
  readonly notify: object;
  readonly events: ServerEventBus;
  /** Answers HTTP requests so that subscriptions which the SDK makes meanwhile belong to the caller. */
  answering(fetch: FetchServer): FetchServer;
  /**
   * The capabilities for a client that cannot get notifications of changes: the same object where that makes
   * no difference.
   */
  quietCapabilities(capabilities: ServerCapabilities): ServerCapabilities;
  /** Follows which resources the client of a transport watches. @param most Most requests to watch resources. */
  watchedThrough(transport: Transport, most: number): () => readonly string[];
  /**
   * Makes the function that notifies the clients of lasting connections. @param most Most URIs that they may
   * watch together.
   */
  follower(methods: ReadonlyMap<string, Method>, most: number): FollowChanges;
}

/** Notifies the client of a server of changes, from its handshake until it disconnects. */
export type FollowChanges = (
  mcp: McpServer,
  client: ServerRequest,
  capabilities: ServerCapabilities,
) => void;
