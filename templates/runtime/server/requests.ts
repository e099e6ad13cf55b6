import type { McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import type { HandledRequests } from "../connections/handled-requests.js";

/** What a server is made for: one HTTP request, or a connection. */
export interface ServerRequest extends McpRequestContext {
  /** What came of requests whose handlers have run already. */
  readonly ran?: Pick<HandledRequests, "take">;
  /** Of a connection: who has it, a principal or an address; absent where there is but one client. */
  readonly holder?: string;
  /** The client's network address, where somebody wants to know. */
  readonly address?: string | undefined;
  /** Prepares the SDK's server, before it gets its handlers. */
  readonly prepare?: (mcp: McpServer) => void;
  /** Of a connection of 2026-07-28: the URIs of the resources that its client watches now. */
  readonly watched?: () => readonly string[];
}

/** What is known of an HTTP request beside what it says. */
export interface FetchOptions {
  /** The JSON body of the request, where it was read already. */
  readonly parsedBody?: unknown;
  /** Who sent it. A server with items that need scopes refuses requests without. */
  readonly authentication?: Authentication | undefined;
}

/** Answers one HTTP request of either era. */
export type FetchServer = (request: Request, exchange: FetchOptions) => Promise<Response>;
