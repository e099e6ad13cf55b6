import type { IncomingHttpHeaders } from "node:http";
import type { AuthInfo } from "@modelcontextprotocol/server";

/** Who calls, as `authenticate` of `src/context.ts` has found out. */
export interface Authentication {
  /** Tells callers apart, and stays the same for one: sessions and questions belong to it. */
  readonly principal: string;
  /** The OAuth scopes that the caller was granted. */
  readonly scopes: readonly string[];
  /** When the credentials run out, in seconds since 1970: the `exp` of a token. */
  readonly expiresAt?: number;
  /** What else is known of the caller, for handlers. */
  readonly claims?: Readonly<Record<string, unknown>>;
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

/** Takes nobody: what a server has whose manifest names scopes while its project authenticates nobody. */
export const refuseEverybody: Authenticator = { authenticate: () => undefined };

/** Whether a caller may use an item. Nobody has to say who they are on stdio: whoever starts a server may use it. */
export function mayUse(
  { scopes = [] }: { readonly scopes?: readonly string[] },
  caller: Authentication | undefined,
): boolean {
  return caller === undefined || scopes.every((scope) => caller.scopes.includes(scope));
}

const authentications = new WeakMap<AuthInfo, Authentication>();

/** The same as the SDK hands it on. */
export function toAuthInfo(authentication: Authentication): AuthInfo {
  const { principal, scopes, expiresAt } = authentication;
  const info: AuthInfo = {
    token: "",
    clientId: principal,
    scopes: [...scopes],
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  authentications.set(info, authentication);
  return info;
}

/**
 * Who calls, as the SDK says. Where a transport of the project's own says it in the SDK's words, the
 * principal is the subject of the token with its client, or the client alone.
 */
export function toAuthentication(info: AuthInfo): Authentication {
  const known = authentications.get(info);
  if (known !== undefined) return known;
  const { clientId, scopes, expiresAt, extra = {} } = info;
  return {
    principal: JSON.stringify([clientId, extra["sub"] ?? null]),
    scopes,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    claims: extra,
  };
}
