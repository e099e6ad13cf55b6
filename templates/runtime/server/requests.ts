import type { McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import type { HandledRequests } from "../connections/handled-requests.js";

/** The HTTP request or the connection that a server of the SDK is made for. */
export interface ServerRequest extends McpRequestContext {
  /** The results of requests whose handlers have run already. */
  readonly handled?: Pick<HandledRequests, "take">;
  /** The principal or address to which a connection belongs; absent where there is only one client. */
  readonly holder?: string;
  /** The client's network address, where something records it. */
  readonly address?: string | undefined;
  /** Prepares the SDK's server, before it gets its handlers. */
  readonly prepare?: (mcp: McpServer) => void;
  /** The URIs that the client of a connection of 2026-07-28 watches now. */
  readonly watched?: () => readonly string[];
}

/** What the runtime knows of an HTTP request beyond its own text. */
export interface FetchOptions {
  /** The parsed JSON body, where it was read already. */
  readonly parsedBody?: unknown;
}

/** Answers one HTTP request of either era. */
export type FetchServer = (request: Request, exchange: FetchOptions) => Promise<Response>;
