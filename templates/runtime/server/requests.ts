import type {
  McpRequestContext,
  McpServer,
  RequestId,
  ServerCapabilities,
} from "@modelcontextprotocol/server";
import type { AnswerMemory } from "../context/answer-memory.js";
import type { HandledRequests } from "../connections/handled-requests.js";

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
  /** The capabilities that the server declares to this client, if they are not those of the engine. */
  readonly capabilities?: ServerCapabilities | undefined;
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
}

/** Answers one HTTP request of either era. */
export type FetchServer = (request: Request, exchange: FetchOptions) => Promise<Response>;
