import type { AuthInfo } from "@modelcontextprotocol/server";
import { extendContexts, type Caller } from "../context/context.js";
import type { FetchOptions } from "../server/requests.js";
import type { Authentication } from "./authentication.js";

extendContexts((context, { authentication }) => {
  (context as { auth?: Authentication | undefined }).auth = authentication;
});

const authentications = new WeakMap<AuthInfo, Authentication>();

/** Returns the caller of an HTTP request in the form of the SDK. */
export function authInfoOf({ authentication }: FetchOptions): AuthInfo | undefined {
  return authentication && toAuthInfo(authentication);
}

/** Returns the authenticated caller for the SDK's `AuthInfo`. */
export function senderOf(info: AuthInfo): Partial<Caller> {
  return { authentication: toAuthentication(info) };
}

/** Converts a caller into the form of the SDK. */
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
 * Converts a caller back from the form of the SDK. If the project's own transport made that form, the
 * principal is made from the token's subject and client, or from the client alone.
 */
function toAuthentication(info: AuthInfo): Authentication {
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
