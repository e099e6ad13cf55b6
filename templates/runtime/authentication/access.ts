import { ProtocolError } from "../engine/errors.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Method } from "../engine/parts.js";
import type { ServerOptions } from "../server/create-server.js";
import type { Facility } from "../server/facility.js";
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

  interface RunningServer {
    /** Who may call over the network. */
    readonly access?: ServerAccess;
  }
}

/** Who may call a server over the network. */
export interface ServerAccess {
  /** Finds out who calls; absent where nobody has to say. */
  readonly authentication?: Authenticator;
  /** The scopes of all items that need some. */
  readonly scopes: readonly string[];
  /** The scopes that a body of JSON-RPC needs, where the caller lacks one of them. */
  unmetScopes(body: unknown, caller: Authentication | undefined): readonly string[] | undefined;
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
export function createAccess(definition: ServerDefinition, options: ServerOptions): Facility {
  let needsScopes = false;
  return {
    join: ({ engine }) => {
      const needed = definition.createScopes?.(definition, engine.methods);
      const scopes = needed?.all ?? [];
      needsScopes = scopes.length > 0;
      const { authentication = needsScopes ? refuseEverybody : undefined } = options;
      const access: ServerAccess = {
        ...(authentication === undefined ? {} : { authentication }),
        scopes,
        unmetScopes: (body, caller) => needed?.unmetBy(body, caller),
      };
      return { access };
    },
    wrapFetch: (fetch) => async (request, exchange) =>
      needsScopes && exchange.authentication === undefined
        ? unauthorized()
        : fetch(request, exchange),
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
