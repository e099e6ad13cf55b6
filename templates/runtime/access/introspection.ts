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
import { causeOf, fetchJson, longestWaitMs, UnusableAnswer } from "./fetch-json.js";
import { identifiersOf, secureUrl, textOf, type SettingValue } from "./settings.js";
import { TokenCache } from "./token-cache.js";
import { TokenRefused, type TokenVerifier } from "./verification.js";

/** The authorization server that is asked whether tokens are valid (RFC 7662). */
export interface IntrospectionSettings {
  readonly url: SettingValue;
  readonly client: SettingValue;
  readonly secret: SettingValue;
  readonly audience: readonly SettingValue[];
  /** How long an answer is cached, in milliseconds. */
  readonly cacheMs: number;
  readonly scopes?: ScopeSettings;
}

interface KeptAnswer {
  readonly caller: Promise<Authentication>;
  readonly until: number;
}

/** Makes a verifier that asks the authorization server. @throws SettingError if a setting is wrong */
export function introspection(settings: IntrospectionSettings): TokenVerifier {
  const ask = createAsk(settings);
  const cache = new TokenCache<KeptAnswer>();
  const verify = (token: string): Promise<Authentication> => {
    const cached = cache.find(token);
    if (cached !== undefined && performance.now() < cached.until) return cached.caller;
    const caller = ask(token);
    const answer = { caller, until: performance.now() + settings.cacheMs };
    cache.keep(token, answer);
    // Refusals and failures are not cached.
    caller.catch(() => cache.forget(token, answer));
    return caller;
  };
  return { verify };
}

function createAsk(settings: IntrospectionSettings): (token: string) => Promise<Authentication> {
  const url = secureUrl(settings.url, "auth.introspection.url");
  const audience = settings.audience.flatMap((one) =>
    identifiersOf(one, "an audience of auth.introspection"),
  );
  const client = encodeURIComponent(textOf(settings.client, "auth.introspection.client"));
  const secret = encodeURIComponent(textOf(settings.secret, "auth.introspection.secret"));
  const authorization = `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`;
  return async (token) => {
    const body = new URLSearchParams({ token, token_type_hint: "access_token" });
    const signal = AbortSignal.timeout(longestWaitMs);
    const answer = fetchJson(url, { method: "POST", body, headers: { authorization }, signal });
    const claims = await answer.catch((error: unknown) => {
      // With 400 the server says that it cannot have issued a token of this form.
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
  if (![aud].flat().some((one) => audience.includes(String(one)))) {
    throw new TokenRefused("it is meant for another server");
  }
  return {
    principal: principalOf(String(iss), claims),
    scopes: scopesOf(claims, scopes),
    ...expiryOf(claims),
    claims,
    via: "introspection",
  };
}
