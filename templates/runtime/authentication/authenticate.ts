import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "../observe/log.js";
import type { Awaitable } from "../engine/awaitable.js";
import type { Authentication } from "./authentication.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Makes what knows callers by the manifest's `auth`. */
    readonly createVerification?: (env: never, server: VerificationServer) => Verification;
  }
}

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
export type Authenticate<Env, Services, More = object> = (
  request: AuthenticationRequest,
  server: { readonly env: Env; readonly services: Services } & More,
) => Authentication | undefined | Promise<Authentication | undefined>;

/** Where callers get their tokens, for clients to find out by themselves (RFC 9728). */
export interface ProtectedResource {
  /** The public URL of this server, which tokens must be meant for: `https://mcp.example.com/mcp`. */
  readonly resource: string;
  /** URLs of the authorization servers. */
  readonly authorizationServers: readonly string[];
  /** What stands before scopes where clients ask the authorization servers for them. */
  readonly scopePrefix?: string;
}

/** What keeps the server from finding out who calls, through no fault of the caller. */
export class AuthenticationUnavailable extends Error {
  override readonly name = "AuthenticationUnavailable";
}

/** What callers are known with: the project's folder, and where causes of refusals are written. */
export interface VerificationServer {
  readonly root: string;
  readonly log: Logger;
}

/** The manifest's `auth`, for a project's own `authenticate`. */
export interface ManifestAuth {
  /**
   * Who sends a token; undefined where it is not valid here.
   *
   * @throws AuthenticationUnavailable where the authorization server does not say
   */
  verify(token: string | undefined): Promise<Authentication | undefined>;
}

/** Knows callers by the manifest's `auth`. */
export interface Verification {
  /** As that of `ManifestAuth`; what is known at once is returned at once. */
  verify(token: string | undefined): Awaitable<Authentication | undefined>;
  readonly protectedResource?: ProtectedResource;
}

/** How the callers of a server are known. */
export interface Authenticator {
  authenticate(request: AuthenticationRequest): ReturnType<Authenticate<unknown, unknown>>;
  readonly protectedResource?: ProtectedResource;
}
