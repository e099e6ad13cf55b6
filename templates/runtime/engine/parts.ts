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

/** A number that JavaScript cannot represent exactly. */
export interface RoundedNumber {
  /** The names and indexes that lead to it. */
  readonly path: readonly string[];
  /** As the client wrote it. */
  readonly literal: string;
}

export interface ExactNumbers {
  /** A message as it came, in which such numbers among arguments and answers of users are marked. */
  mark(message: Buffer): Buffer;
  /** Puts the numbers back in their places, rounded, and says which they are. */
  restore(input: object): readonly RoundedNumber[];
  /** Why a value with these numbers is refused; undefined where its schema takes each as a `number`. */
  problemOf(rounded: readonly RoundedNumber[], schema: object): string | undefined;
}

export interface Feature {
  /** What it adds to the server's capabilities. */
  readonly capabilities: ServerCapabilities;
  readonly methods: Methods;
  /** Makes in the background what requests would have to wait for. */
  readonly prepare?: () => void;
}

/** Methods of the protocol, by their names. */
export type Methods = Readonly<Record<string, Method>>;

/** How the requests of one method are answered. */
export interface Method {
  /** The parameters that a request may have, beside `_meta`. */
  readonly parameters: readonly string[];
  /** Whether what comes of it at once is the same object for every caller, until it changes. */
  readonly isShared?: boolean;
  /** Caching hints of results without hints of their own; absent where the protocol wants none. */
  readonly caching?: CacheHint;
  /** @throws ProtocolError, at once or by its promise, where the request is refused */
  answer(parameters: RequestParameters, caller: Caller): Awaitable<Result>;
  /** The item that a request is about; undefined where there is none, or it is switched off. */
  itemOf?(parameters: RequestParameters): Item | undefined;
}

/** Which items of one kind are there for clients now. */
export interface ItemStates {
  /** Grows with every change. */
  readonly version: number;
  /** Whether any item can be switched on and off. */
  readonly exist: boolean;
  isOn(name: string): boolean;
}

/** What changes while a server runs: which items are there, and what clients are told of. */
export interface LiveState {
  readonly tools: ItemStates;
  readonly resources: ItemStates;
  readonly prompts: ItemStates;
  readonly notify: object;
  readonly events: ServerEventBus;
  /** Answers HTTP requests so that what the SDK then listens for is for clients of the caller. */
  answering(fetch: FetchServer): FetchServer;
  /** What a server says of itself to a client that cannot be told of changes: the same object where there are none. */
  quietCapabilities(capabilities: ServerCapabilities): ServerCapabilities;
  /** Follows which resources the client of a transport watches. @param most Most requests to watch some. */
  watchedThrough(transport: Transport, most: number): () => readonly string[];
  /** Makes what tells the clients of lasting connections of changes. @param most Most URIs that they may watch, all together. */
  follower(methods: ReadonlyMap<string, Method>, most: number): FollowChanges;
}

/** Tells the client that a server was made for of changes, from its handshake to its end. */
export type FollowChanges = (
  mcp: McpServer,
  client: ServerRequest,
  capabilities: ServerCapabilities,
) => void;
