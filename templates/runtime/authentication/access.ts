import { ProtocolError } from "../engine/errors.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { ServerOptions } from "../server/create-server.js";
import type { Facility } from "../server/facility.js";
import type { Authenticator } from "./authenticate.js";
import type { Authentication } from "./authentication.js";

/** Decides who may call a server over the network. */
export interface ServerAccess {
  /** Identifies callers. Absent if callers need no credentials. */
  readonly authentication?: Authenticator;
  /** The scopes of all items, without duplicates. */
  readonly scopes: readonly string[];
  /** The scopes that a JSON-RPC body needs, if the caller lacks one of them. Otherwise undefined. */
  unmetScopes(body: unknown, caller: Authentication | undefined): readonly string[] | undefined;
  /** The scopes that a stream needs which a JSON-RPC body opens. */
  neededScopes(body: unknown, caller: Authentication | undefined): readonly string[];
  /** Whether a caller may know that the server has items with this name. */
  mayKnow(name: string, caller: Authentication | undefined): boolean;
}

/** Computes the scopes that requests need. */
export interface RequestScopes {
  /** The scopes of all items, without duplicates. */
  readonly all: readonly string[];
  /** The scopes that a message, or a list of messages, needs, if the caller lacks one. Otherwise undefined. */
  unmetBy(body: unknown, caller: Authentication | undefined): readonly string[] | undefined;
  /** The scopes of all items that a message names and that are not hidden from the caller. */
  neededBy(body: unknown, caller: Authentication | undefined): readonly string[];
  /** Whether a caller may use all items with this name, of whatever kind. */
  mayUseAll(name: string, caller: Authentication | undefined): boolean;
}

/** Refuses every caller. Used if the manifest names scopes but the project authenticates nobody. */
const refuseEverybody: Authenticator = { authenticate: () => undefined };

/** Makes the facility that authenticates network callers and checks their scopes. */
export function createAccess(definition: ServerDefinition, options: ServerOptions): Facility {
  let needsScopes = false;
  return {
    join: ({ engine }) => {
      const requestScopes = definition.createScopes?.(definition, engine.methods);
      const scopes = requestScopes?.all ?? [];
      // Who may call does not depend on which items are served.
      const { tools, resources, resourceTemplates, prompts } = definition.whole ?? {};
      const all = [tools, resources, resourceTemplates, prompts].flatMap((items) => items ?? []);
      needsScopes = scopes.length > 0 || all.some((item) => (item.scopes ?? []).length > 0);
      const { authentication = needsScopes ? refuseEverybody : undefined } = options;
      const access: ServerAccess = {
        ...(authentication === undefined ? {} : { authentication }),
        scopes,
        unmetScopes: (body, caller) => requestScopes?.unmetBy(body, caller),
        neededScopes: (body, caller) => requestScopes?.neededBy(body, caller) ?? [],
        mayKnow: (name, caller) => requestScopes?.mayUseAll(name, caller) ?? true,
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

/** The JSON-RPC error for a caller who lacks scopes, used where no HTTP status can be sent. */
export function insufficientScope(scopes: readonly string[]): ProtocolError {
  const message = `Insufficient scope: ${scopes.join(" ")}`;
  return new ProtocolError(403, message, { requiredScopes: scopes });
}
