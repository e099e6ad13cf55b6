import type { IncomingMessage, ServerResponse } from "node:http";
import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import {
  AuthenticationUnavailable,
  type Authenticator,
  type ProtectedResource,
} from "./authenticate.js";
import type { LogData } from "../observe/log.js";
import type { Authentication } from "./authentication.js";
import { anybody, isPublic } from "./public-methods.js";
import type { RunningServer } from "../server/create-server.js";
import { describeError } from "../engine/describe-error.js";
import type { Page, Refusal } from "../http/transport.js";
import { countedLines } from "../observe/refusal-counts.js";

/** How long it may take to find out who calls, in milliseconds. */
const longestMs = 10_000;

/** The credentials of RFC 6750; a key may be any text. */
const bearer = /^Bearer +(\S.*)$/i;

/** When to ask again while nobody can say who calls, in seconds. */
const retryAfter = "5";

/** Finds out who sends requests, and says in the words of RFC 6750 why a sender may not go on. */
export class HttpAuthentication {
  readonly #server: RunningServer;
  readonly #authenticator: Authenticator;
  readonly #tellOfOutage: (data: LogData) => void;

  constructor(server: RunningServer, authenticator: Authenticator) {
    this.#server = server;
    this.#authenticator = authenticator;
    this.#tellOfOutage = countedLines((data) =>
      server.log.warning("nobody can say who calls", data),
    );
  }

  /** Who sends a request, or why it goes no further. */
  async identify(request: IncomingMessage): Promise<Authentication | Refusal> {
    const { headers, socket } = request;
    const [, token] = bearer.exec(headers.authorization?.trimEnd() ?? "") ?? [];
    let caller: Authentication | undefined;
    try {
      caller = await inTime(
        this.#authenticator.authenticate({
          ...(token === undefined ? {} : { token }),
          headers,
          remoteAddress: socket.remoteAddress,
        }),
      );
      if (caller !== undefined && !isUsable(caller)) {
        throw new TypeError("authenticate returned no principal, or no scopes");
      }
    } catch (error) {
      if (error instanceof AuthenticationUnavailable) {
        this.#tellOfOutage({ cause: error.message });
        const headers = { "retry-after": retryAfter };
        return { status: 503, message: "Service unavailable", headers };
      }
      this.#server.log.error("authentication failed", { error: describeError(error) });
      return { status: 500, message: "Internal error" };
    }
    if (caller === undefined) {
      return isPublic(request, this.#server.definition.publicMethods)
        ? anybody
        : this.unauthorized(headers.authorization !== undefined);
    }
    return hasExpired(caller) ? this.unauthorized(true, "The token has expired") : caller;
  }

  /** Why a caller without these scopes may not go on. */
  insufficientScope(scopes: readonly string[]): Refusal {
    const challenge = this.#challenge({
      error: "insufficient_scope",
      error_description: "The request needs more scopes than the token has",
      scope: this.#asked(scopes).join(" "),
    });
    return { status: 403, message: `Insufficient scope: ${scopes.join(" ")}`, headers: challenge };
  }

  /**
   * Why a caller who is not known may not go on. Whoever sent no credentials made no mistake: the
   * challenge then names no error.
   */
  unauthorized(sentSome: boolean, description = "The token is not valid here"): Refusal {
    const error: Record<string, string> = sentSome
      ? { error: "invalid_token", error_description: description }
      : {};
    return { status: 401, message: "Unauthorized", headers: this.#challenge(error) };
  }

  /** Scopes as clients ask for them. */
  #asked(scopes: readonly string[]): string[] {
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

/**
 * The page that tells clients where tokens come from, at its path, as RFC 9728 has it; any page of any
 * site may read it.
 */
export function protectedResourcePage({ definition, access }: RunningServer): Map<string, Page> {
  const { authentication, scopes = [] } = access ?? {};
  const described = authentication?.protectedResource;
  if (described === undefined) return new Map();
  const { name, title = name } = definition.info;
  const body = JSON.stringify({
    resource: described.resource,
    ...(described.authorizationServers.length > 0 && {
      authorization_servers: described.authorizationServers,
    }),
    bearer_methods_supported: ["header"],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopesOfClients(scopes, described) }),
    resource_name: title,
  });
  const page = ({ method }: IncomingMessage, response: ServerResponse): void => {
    const isRead = method === "GET" || method === "HEAD";
    response.writeHead(isRead ? 200 : 405, {
      ...{ "access-control-allow-origin": "*", allow: "GET, HEAD" },
      ...(isRead ? { "content-type": "application/json" } : {}),
    });
    response.end(method === "GET" ? body : undefined);
  };
  return new Map([[metadataUrl(described.resource).pathname, page]]);
}

/** Scopes as clients ask the authorization servers for them. */
function scopesOfClients(
  scopes: readonly string[],
  resource: ProtectedResource | undefined,
): string[] {
  return scopes.map((scope) => `${resource?.scopePrefix ?? ""}${scope}`);
}

function metadataUrl(resource: string): URL {
  return new URL(getOAuthProtectedResourceMetadataUrl(new URL(resource)));
}

/** A project's own code may return anything; who it is decides what belongs to whom. */
function isUsable({ principal, scopes }: Authentication): boolean {
  return typeof principal === "string" && principal !== "" && Array.isArray(scopes);
}

/** Whether credentials have run out. */
export function hasExpired({ expiresAt }: Authentication, now = Date.now()): boolean {
  return expiresAt !== undefined && !(expiresAt * 1_000 > now);
}

/** @throws Error when it takes too long */
async function inTime<Value>(work: Value | Promise<Value>): Promise<Value> {
  if (!(work instanceof Promise)) return work;
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${longestMs} ms`)), longestMs);
  });
  return Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}
