import type { RequestHeaders } from "../http/request-head.js";
import type { Logger } from "../observe/log.js";
import type { Awaitable } from "../engine/awaitable.js";
import type { Authentication } from "./authentication.js";

/** The data of a request by which its sender is identified. */
export interface AuthenticationRequest {
  /** The token of `Authorization: Bearer`, if the request has one. */
  readonly token?: string;
  /** The headers of the request, by their names in lower case. */
  readonly headers: RequestHeaders;
  /** The network address of the connection's other end. */
  readonly remoteAddress: string | undefined;
}

/**
 * Identifies the sender of a network request. If it returns undefined, the request is refused. If it throws,
 * the error is logged and the request is refused as a failure of the server.
 */
export type Authenticate<Env, Services, More = object> = (
  request: AuthenticationRequest,
  server: { readonly env: Env; readonly services: Services } & More,
) => Authentication | undefined | Promise<Authentication | undefined>;

/** Tells clients where to get tokens for this server (RFC 9728). */
export interface ProtectedResource {
  /** The public URL of this server, such as `https://mcp.example.com/mcp`: the audience of tokens. */
  readonly resource: string;
  /** URLs of the authorization servers. */
  readonly authorizationServers: readonly string[];
  /** The prefix that clients put before scopes when they request them from an authorization server. */
  readonly scopePrefix?: string;
  /** The scopes that clients ask for when their users sign in, without the prefix; by default, those of all items. */
  readonly initialScopes?: readonly string[];
}

/** Thrown if the server cannot identify a caller for a reason that is not the caller's fault. */
export class AuthenticationUnavailable extends Error {
  override readonly name = "AuthenticationUnavailable";
}

/** The members of a server that verification needs: the project's folder, and the log for refusals. */
export interface VerificationServer {
  /** The project's folder. */
  readonly root: string;
  /** The log of the server. */
  readonly log: Logger;
}

/** The verification of the manifest's `auth`, for the `authenticate` function of a project. */
export interface ManifestAuth {
  /**
   * Returns the sender of a token. Undefined if this server does not accept the token.
   *
   * @throws AuthenticationUnavailable if the authorization server gives no usable answer
   */
  verify(token: string | undefined): Promise<Authentication | undefined>;
}

/** Identifies callers as the manifest's `auth` describes. */
export interface Verification {
  /** Like `verify` of `ManifestAuth`, but returns no promise if the result is cached. */
  verify(token: string | undefined): Awaitable<Authentication | undefined>;
  readonly protectedResource?: ProtectedResource;
}

/** The functions and settings by which a server identifies callers. */
export interface Authenticator {
  /** Identifies the sender of a request, as {@link Authenticate} describes. */
  authenticate(request: AuthenticationRequest): ReturnType<Authenticate<unknown, unknown>>;
  /** Tells clients where to get tokens; absent if they have to know. */
  readonly protectedResource?: ProtectedResource;
}
