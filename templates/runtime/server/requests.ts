import type {
  McpRequestContext,
  McpServer,
  RequestId,
  ServerCapabilities,
  Result,
} from "@modelcontextprotocol/server";
import type { AnswerMemory } from "../context/answer-memory.js";
import type { Caller } from "../context/context.js";
import type { HandledRequests } from "../fast-path/connection.js";
import type { Authentication } from "../authentication/authentication.js";

/** The HTTP request or the connection for which an SDK server is made. */
export interface ServerRequest extends McpRequestContext {
  /** The results of requests that were handled already. */
  readonly handled?: Pick<HandledRequests, "take">;
  /** The client's network address. Absent if no feature of the server needs it. */
  readonly address?: string | undefined;
  /** Returns the memory of a call; absent where memory is not limited. */
  readonly memoryOf?: (call: CallOrigin) => AnswerMemory | undefined;
  /** Called with the SDK server before its handlers are installed. */
  readonly prepare?: (mcp: McpServer) => void;
  /** Called with who has opened the connection. */
  readonly opened?: (caller: Partial<Caller>) => void;
  /** The capabilities that the server declares to this client, if they are not those of the engine. */
  readonly capabilities?: ServerCapabilities | undefined;
  /** The URIs that the client of a connection of 2026-07-28 watches now. */
  readonly watched?: () => readonly string[];
  /** The principal or address of the connection's client. Absent if the transport has only one client. */
  readonly holder?: string;
}

/** Where a call comes from. */
export interface CallOrigin {
  readonly id: RequestId;
  readonly signal: AbortSignal;
  /** The HTTP request that brought it; undefined for a call on another transport. */
  readonly request: Request | undefined;
}

/** Data about an HTTP request that earlier steps have computed, such as its parsed body. */
export interface FetchOptions {
  /** The parsed JSON body, if an earlier step has read it. */
  readonly parsedBody?: unknown;
  /** The authenticated caller. A server whose items need scopes refuses requests without one. */
  readonly authentication?: Authentication | undefined;
  /** The result of the request, if its handler has run already. */
  readonly outcome?: Promise<Result> | undefined;
  /** The time when its body had arrived, by `performance.now()`. */
  readonly startedAt?: number;
  /** The client's address; undefined if nothing records it. */
  readonly address?: string | undefined;
}

/** Answers one HTTP request of either era. */
export type FetchServer = (request: Request, exchange: FetchOptions) => Promise<Response>;
