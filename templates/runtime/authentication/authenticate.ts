import type { IncomingHttpHeaders } from "node:http";
import type { Authentication } from "./authentication.js";

/** What a request says about its sender. */
export interface AuthenticationRequest {
  /** The token of `Authorization: Bearer`, where there is one. */
  readonly token?: string;
  readonly headers: IncomingHttpHeaders;
  /** The address that the connection comes from. */
  readonly remoteAddress: string | undefined;
}

/**
 * Finds out who sends a request over the network; undefined refuses it. What it throws is logged, and
 * refuses the request as the server's own failure.
 */
export type Authenticate<Env, Services> = (
  request: AuthenticationRequest,
  server: { readonly env: Env; readonly services: Services },
) => Authentication | undefined | Promise<Authentication | undefined>;

/** Where callers get their tokens, for clients to find out by themselves (RFC 9728). */
export interface ProtectedResource {
  /** The public URL of this server, which tokens must be meant for: `https://mcp.example.com/mcp`. */
  readonly resource: string;
  /** URLs of the authorization servers. */
  readonly authorizationServers: readonly string[];
}

/** How the callers of a server are known. */
export interface Authenticator {
  authenticate(request: AuthenticationRequest): ReturnType<Authenticate<unknown, unknown>>;
  readonly protectedResource?: ProtectedResource;
}
