import { ProtocolError } from "../engine/errors.js";
import type { Engine } from "../engine/engine.js";
import type { Method } from "../engine/parts.js";
import type { ServerAccess, ServerOptions } from "../server/create-server.js";
import type { Authenticator } from "./authenticate.js";
import type { Authentication } from "./authentication.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Knows which scopes requests need. */
    readonly createScopes?: (
      definition: ServerDefinition,
      methods: ReadonlyMap<string, Method>,
    ) => RequestScopes;
  }
}

declare module "../server/create-server.js" {
  interface ServerOptions {
    /** Finds out who calls over the network. Without it nobody has to say, unless an item needs scopes. */
    readonly authentication?: Authenticator | undefined;
  }

  interface ServerAccess {
    /** Finds out who calls over the network; absent where nobody has to say. */
    readonly authentication?: Authenticator;
    /** The scopes of all items that need some. */
    readonly scopes: readonly string[];
    /** The scopes that a body of JSON-RPC needs, where the caller lacks one of them. */
    unmetScopes(body: unknown, caller: Authentication | undefined): readonly string[] | undefined;
  }
}

export interface RequestScopes {
  /** Those of all items. */
  readonly all: readonly string[];
  /** The scopes that a message needs, or a list of messages, where the caller lacks one of them. */
  unmetBy(body: unknown, caller: Authentication | undefined): readonly string[] | undefined;
}

/** Takes nobody: what a server has whose manifest names scopes while its project authenticates nobody. */
const refuseEverybody: Authenticator = { authenticate: () => undefined };

/** Looks after who may call a server over the network. */
export function createAccess(
  { definition, methods }: Engine,
  options: ServerOptions,
): ServerAccess {
  const needed = definition.createScopes?.(definition, methods);
  const scopes = needed?.all ?? [];
  const needsScopes = scopes.length > 0;
  const { authentication = needsScopes ? refuseEverybody : undefined } = options;
  return {
    ...(authentication === undefined ? {} : { authentication }),
    scopes,
    unmetScopes: (body, caller) => needed?.unmetBy(body, caller),
    refusal: (exchange) =>
      needsScopes && exchange.authentication === undefined ? unauthorized() : undefined,
  };
}

function unauthorized(): Response {
  const body = { jsonrpc: "2.0", error: { code: -32000, message: "Unauthorized" } };
  return Response.json(body, { status: 401, headers: { "www-authenticate": "Bearer" } });
}

/** The error for a caller without the scopes that a request needs, where HTTP has no status for it. */
export function insufficientScope(scopes: readonly string[]): ProtocolError {
  const message = `Insufficient scope: ${scopes.join(" ")}`;
  return new ProtocolError(403, message, { requiredScopes: scopes });
}
