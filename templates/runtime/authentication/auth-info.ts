import type { AuthInfo } from "@modelcontextprotocol/server";
import type { Authentication } from "./authentication.js";

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
  const authentication = authentications.get(info);
  if (authentication !== undefined) return authentication;
  const { clientId, scopes, expiresAt, extra = {} } = info;
  return {
    principal: JSON.stringify([clientId, extra["sub"] ?? null]),
    scopes,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    claims: extra,
  };
}
