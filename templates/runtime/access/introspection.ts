import type { Authentication } from "../authentication/authentication.js";
import { AuthenticationUnavailable } from "../authentication/authenticate.js";
import {
  clockSkew,
  expiryOf,
  principalOf,
  scopesOf,
  type Claims,
  type ScopeSettings,
} from "./claims.js";
import { AuthorizationServer, causeOf, maxWaitMs, UnusableAnswer } from "./authorization-server.js";
import { identifiersOf, secureUrl, textOf, type SettingValue } from "./settings.js";
import { TokenCache } from "./token-cache.js";
import { TokenRefused, type TokenVerifier } from "./verification.js";

/** The authorization server that checks tokens for this server (RFC 7662). */
export interface IntrospectionSettings {
  /** The URL of the introspection endpoint: https, or http on this machine. */
  readonly url: SettingValue;
  /** The id by which the authorization server knows this server. */
  readonly client: SettingValue;
  /** The secret that belongs to the id. */
  readonly secret: SettingValue;
  /** The accepted audiences. A token must name one of them. */
  readonly audience: readonly SettingValue[];
  /** How long an answer is cached, in milliseconds. */
  readonly cacheMs: number;
  /** How the scopes of a token are read. */
  readonly scopes?: ScopeSettings;
}

interface CachedAnswer {
  readonly caller: Promise<Authentication>;
  readonly validUntil: number;
}

/** Makes a verifier that asks the authorization server. @throws SettingError if a setting is wrong */
export function introspection(settings: IntrospectionSettings): TokenVerifier {
  const introspect = createIntrospect(settings);
  const cache = new TokenCache<CachedAnswer>();
  const verify = (token: string): Promise<Authentication> => {
    const cached = cache.find(token);
    if (cached !== undefined && performance.now() < cached.validUntil) return cached.caller;
    const caller = introspect(token);
    const answer = { caller, validUntil: performance.now() + settings.cacheMs };
    cache.keep(token, answer);
    // Refusals and failures are not cached.
    caller.catch(() => cache.forget(token, answer));
    return caller;
  };
  return { verify };
}

function createIntrospect(
  settings: IntrospectionSettings,
): (token: string) => Promise<Authentication> {
  const url = secureUrl(settings.url, "auth.introspection.url");
  const audience = settings.audience.flatMap((value) =>
    identifiersOf(value, "an audience of auth.introspection"),
  );
  const client = encodeURIComponent(textOf(settings.client, "auth.introspection.client"));
  const secret = encodeURIComponent(textOf(settings.secret, "auth.introspection.secret"));
  const authorization = `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`;
  const server = new AuthorizationServer(url);
  return async (token) => {
    const form = new URLSearchParams({ token, token_type_hint: "access_token" });
    const signal = AbortSignal.timeout(maxWaitMs);
    const answer = server.fetchJson(url, { form, headers: { authorization }, signal });
    const claims = await answer.catch((error: unknown) => {
      // Status 400 means that the server cannot have issued a token of this form.
      const isRefused = error instanceof UnusableAnswer && error.status === 400;
      if (isRefused) throw new TokenRefused("the authorization server refuses it");
      throw new AuthenticationUnavailable(`no answer about a token: ${causeOf(error)}`);
    });
    return callerOf(claims, audience, url, settings.scopes);
  };
}

function callerOf(
  claims: Claims,
  audience: readonly string[],
  url: URL,
  scopes: ScopeSettings | undefined,
): Authentication {
  const { active, iss = url.origin, aud, exp, nbf } = claims;
  if (active !== true) throw new TokenRefused("it is not active");
  const now = Date.now() / 1_000;
  if (typeof exp === "number" && exp + clockSkew <= now) throw new TokenRefused("it has expired");
  if (typeof nbf === "number" && nbf - clockSkew > now)
    throw new TokenRefused("it is not valid yet");
  if (![aud].flat().some((value) => typeof value === "string" && audience.includes(value))) {
    throw new TokenRefused("it is meant for another server");
  }
  if (typeof iss !== "string") throw new TokenRefused("its issuer is not a text");
  return {
    principal: principalOf(iss, claims),
    scopes: scopesOf(claims, scopes),
    ...expiryOf(claims),
    claims,
    via: "introspection",
  };
}
