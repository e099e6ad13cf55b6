import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import {
  AuthenticationUnavailable,
  type Authenticator,
  type ProtectedResource,
} from "./authenticate.js";
import type { Authentication } from "./authentication.js";
import { anybody, isPublic } from "./public-methods.js";
import type { RunningServer } from "../server/create-server.js";
import { after, recover, toAwaitable, type Awaitable } from "../engine/awaitable.js";
import { describeError } from "../engine/describe-error.js";
import type { RequestHead } from "../http/request-head.js";
import type { Refusal } from "../http/transport.js";
import { CountedLines } from "../observe/refusals.js";

/** The maximum time to identify a caller, in milliseconds. */
const maxWaitMs = 10_000;

/**
 * The bearer credentials of RFC 6750. Any bytes are allowed in a token, since API keys may have any characters: Node.js
 * has removed the spaces and tabs around the header's value, and other bytes that JavaScript takes for white space, such
 * as A0, belong to the token.
 */
const bearerPattern = /^Bearer +([^ \t].*)$/i;

/** The `Retry-After` of answers while callers cannot be identified, in seconds. */
const retryAfterSeconds = "5";

/** Identifies the senders of requests, and makes refusals with the challenges of RFC 6750. */
export class HttpAuthentication {
  readonly #server: RunningServer;
  readonly #authenticator: Authenticator;
  readonly #outages: CountedLines;

  constructor(server: RunningServer, authenticator: Authenticator) {
    this.#server = server;
    this.#authenticator = authenticator;
    this.#outages = new CountedLines((data) =>
      server.log.warning("nobody can say who calls", data),
    );
  }

  /** Returns the sender of a request, or the refusal of the request; no promise if nothing has to be waited for. */
  identify(request: RequestHead): Awaitable<Authentication | Refusal> {
    return recover<Authentication | Refusal>(
      () => after(this.#authenticate(request), (caller) => this.#senderOf(request, caller)),
      (error) => this.#failure(error),
    );
  }

  #authenticate({ headers, socket }: RequestHead): Awaitable<Authentication | undefined> {
    const [, token] = bearerPattern.exec(headers.authorization ?? "") ?? [];
    const caller = this.#authenticator.authenticate({
      ...(token === undefined ? {} : { token }),
      headers,
      remoteAddress: socket.remoteAddress,
    });
    return withTimeout(toAwaitable(caller) as Awaitable<Authentication | undefined>);
  }

  #senderOf(request: RequestHead, caller: Authentication | undefined): Authentication | Refusal {
    if (caller === undefined) {
      return isPublic(request, this.#server.definition.publicMethods)
        ? anybody
        : this.unauthorized(request.headers.authorization !== undefined);
    }
    if (!isUsable(caller)) throw new TypeError("authenticate returned no principal, or no scopes");
    return hasExpired(caller) ? this.unauthorized(true, "The token has expired") : caller;
  }

  /** Logs why the sender of a request could not be identified. @returns the request's refusal */
  #failure(error: unknown): Refusal {
    if (error instanceof AuthenticationUnavailable) {
      this.#outages.add({ cause: error.message });
      const headers = { "retry-after": retryAfterSeconds };
      return { status: 503, message: "Service unavailable", headers };
    }
    this.#server.log.error("authentication failed", { error: describeError(error) });
    return { status: 500, message: "Internal error" };
  }

  /** The refusal of a caller who lacks these scopes. */
  insufficientScope(scopes: readonly string[]): Refusal {
    const challenge = this.#challenge({
      error: "insufficient_scope",
      error_description: "The request needs more scopes than the token has",
      scope: this.#clientScopes(scopes).join(" "),
    });
    return { status: 403, message: `Insufficient scope: ${scopes.join(" ")}`, headers: challenge };
  }

  /**
   * The refusal of a caller who is not identified. The challenge names an error only if the caller sent
   * credentials.
   */
  unauthorized(hasCredentials: boolean, description = "The token is not valid here"): Refusal {
    const { initialScopes } = this.#authenticator.protectedResource ?? {};
    const challenge = this.#challenge({
      ...(hasCredentials && { error: "invalid_token", error_description: description }),
      ...(initialScopes && { scope: this.#clientScopes(initialScopes).join(" ") }),
    });
    return { status: 401, message: "Unauthorized", headers: challenge };
  }

  /** The scopes in the form in which clients request them, with the prefix. */
  #clientScopes(scopes: readonly string[]): string[] {
    return scopesOfClients(scopes, this.#authenticator.protectedResource);
  }

  #challenge(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { protectedResource } = this.#authenticator;
    const metadata =
      protectedResource === undefined
        ? {}
        : { resource_metadata: metadataUrl(protectedResource.resource).href };
    const pairs = Object.entries({ ...parameters, ...metadata });
    const quoted = pairs.map(([name, value]) => `${name}="${value}"`).join(", ");
    return { "www-authenticate": quoted === "" ? "Bearer" : `Bearer ${quoted}` };
  }
}

/** The scopes in the form in which clients request them from authorization servers. */
export function scopesOfClients(
  scopes: readonly string[],
  resource: ProtectedResource | undefined,
): string[] {
  return scopes.map((scope) => `${resource?.scopePrefix ?? ""}${scope}`);
}

/** Where the page is that tells clients where to get tokens for a resource (RFC 9728). */
export function metadataUrl(resource: string): URL {
  return new URL(getOAuthProtectedResourceMetadataUrl(new URL(resource)));
}

/** Checks the value that the project's own code returned, since the ownership of sessions depends on it. */
function isUsable({ principal, scopes }: Authentication): boolean {
  return typeof principal === "string" && principal !== "" && Array.isArray(scopes);
}

/** Whether credentials have expired. */
export function hasExpired({ expiresAt }: Authentication, now = Date.now()): boolean {
  return expiresAt !== undefined && !(expiresAt * 1_000 > now);
}

/** Rejects if a promise takes longer than {@link maxWaitMs}. */
function withTimeout<Value>(work: Awaitable<Value>): Awaitable<Value> {
  if (!(work instanceof Promise)) return work;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${maxWaitMs} ms`)), maxWaitMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
