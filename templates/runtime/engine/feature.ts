import type { CacheHint, Result, ServerCapabilities } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import type { Awaitable } from "./awaitable.js";
import type { Item } from "./item.js";
import type { RequestParameters } from "./request-parameters.js";

/** A part of the engine that answers methods of the protocol, such as those of tools. */
export interface Feature {
  /** The capabilities that it adds to the server's. */
  readonly capabilities: ServerCapabilities;
  readonly methods: Methods;
  /** Whether only clients of 2026-07-28 have it, so that others are not told of its capabilities. */
  readonly isModern?: boolean;
  /** Does work in the background that requests would otherwise wait for. */
  readonly prepare?: () => void;
}

/** Methods of the protocol, by their names. */
export type Methods = Readonly<Record<string, Method>>;

/** Answers the requests of one method. */
export interface Method {
  /** The parameters that a request may have, in addition to `_meta`. */
  readonly parameters: readonly string[];
  /** Whether calls may get the same result object, so that its encoded answer is kept for the next call. */
  readonly isShared?: boolean;
  /** Caching hints of results without their own hints; absent if the protocol defines none for this method. */
  readonly caching?: CacheHint;
  /** @throws ProtocolError, directly or by its promise, if the request is refused */
  answer(parameters: RequestParameters, caller: Caller): Awaitable<Result>;
  /**
   * The item that a request names; undefined if it does not exist or is switched off.
   * @param caller If it is given, an item that is hidden from the caller does not exist.
   */
  itemOf?(parameters: RequestParameters, caller?: Partial<Caller>): Item | undefined;
}
