import { decodeJwt, errors, jwtVerify, type JWTVerifyOptions, type JWTVerifyResult } from "jose";
import {
  AuthenticationUnavailable,
  type VerificationServer,
} from "../authentication/authenticate.js";
import type { Authentication } from "../authentication/authentication.js";
import {
  checkRequired,
  clockSkew,
  expiryOf,
  principalOf,
  scopesOf,
  type RequiredClaims,
  type ScopeSettings,
} from "./claims.js";
import { AuthorizationServer, causeOf } from "./authorization-server.js";
import {
  fetchIssuerKeys,
  fetchKeys,
  IssuerKeys,
  keysOfFile,
  type KeySource,
} from "./issuer-keys.js";
import { identifiersOf, secureUrl, textOf, type SettingValue } from "./settings.js";
import { TokenCache } from "./token-cache.js";
import { TokenRefused, type TokenVerifier } from "./verification.js";

/** An issuer of JWTs, and the requirements that a token must meet. */
export interface JwtSettings {
  /** The URL of the issuer, as the claim `iss` of its tokens names it: https, or http on this machine. */
  readonly issuer: SettingValue;
  /** The URL or file of the issuer's keys. By default the issuer's metadata names the URL. */
  readonly jwks?: SettingValue;
  /** The accepted audiences. A token must name one of them. */
  readonly audience: readonly SettingValue[];
  /** The accepted algorithms of signatures, such as `ES256`. */
  readonly algorithms: readonly string[];
  /** How the scopes of a token are read. */
  readonly scopes?: ScopeSettings;
  /** Claims that a token must have beside the usual ones, with their values. */
  readonly require?: RequiredClaims;
  /** Whether tokens must have the type `at+jwt` of access tokens (RFC 9068). */
  readonly strict?: boolean;
}

/** Makes a verifier of an issuer's JWTs. @throws SettingError if a setting is wrong */
export function jwtIssuer(settings: JwtSettings, { root }: VerificationServer): TokenVerifier {
  secureUrl(settings.issuer, "the issuer of auth.jwt");
  const issuer = identifiersOf(settings.issuer, "the issuer of auth.jwt");
  const audience = settings.audience.flatMap((value) =>
    identifiersOf(value, "an audience of auth.jwt"),
  );
  const keys = keysOf(settings, issuer, root);
  const options = {
    issuer,
    audience,
    algorithms: [...settings.algorithms],
    clockTolerance: clockSkew,
    requiredClaims: ["exp"],
    ...(settings.strict === true && { typ: "at+jwt" }),
  };
  const verifyJwt = async (token: string): Promise<Authentication> => {
    const verified = await verifyToken(token, keys, options).catch(refuseToken);
    const { payload } = checkHeader(verified);
    checkRequired(payload, settings.require);
    return {
      principal: principalOf(payload.iss ?? "", payload),
      scopes: scopesOf(payload, settings.scopes),
      ...expiryOf(payload),
      claims: payload,
      via: "jwt",
    };
  };
  const isOfIssuer = (token: string): boolean => issuer.includes(issuerIn(token) ?? "");
  return {
    verify: cachedVerify((token) => (isOfIssuer(token) ? verifyJwt(token) : undefined), keys),
  };
}

/** Verifies a token with the key that it names. If several keys match, it tries each of them. */
async function verifyToken(
  token: string,
  { find }: KeySource,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, find, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const verified = await jwtVerify(token, key, options).catch(ignoreWrongSignature);
      if (verified !== undefined) return verified;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function ignoreWrongSignature(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
}

interface VerifiedToken {
  readonly caller: Authentication;
  /** The keys that were cached before the token was verified. If they change, it is verified again. */
  readonly keys: ReturnType<KeySource["cachedKeys"]>;
}

/** Caches verified tokens. A token is verified again if it has expired or its issuer's keys have changed. */
function cachedVerify(
  verify: (token: string) => Promise<Authentication> | undefined,
  keys: KeySource,
): TokenVerifier["verify"] {
  const cache = new TokenCache<VerifiedToken>();
  return (token) => {
    const cached = cache.find(token);
    const { expiresAt = 0 } = cached?.caller ?? {};
    const cachedKeys = keys.cachedKeys();
    const isValid = cached?.keys === cachedKeys && expiresAt > Date.now() / 1_000;
    if (cached !== undefined && isValid) return cached.caller;
    return verify(token)?.then((caller) => {
      cache.keep(token, { caller, keys: cachedKeys });
      return caller;
    });
  };
}

function keysOf(settings: JwtSettings, issuer: readonly string[], root: string): KeySource {
  // A variable that should name the keys and is not set must not let the issuer name others.
  if (!("jwks" in settings)) {
    const server = new AuthorizationServer(new URL(issuer[0] ?? ""));
    return new IssuerKeys((signal) => fetchIssuerKeys(server, issuer, signal));
  }
  const location = textOf(settings.jwks, "jwks of auth.jwt");
  if (!/^https?:/.test(location)) return keysOfFile(location, root);
  const url = secureUrl(location, "jwks of auth.jwt");
  const server = new AuthorizationServer(url);
  return new IssuerKeys((signal) => fetchKeys(server, url, signal));
}

/** The issuer that a token names, not verified. Undefined if the text is not a JWT. */
function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** Refuses the token after an error of the JWT library. Other errors mean that the issuer's keys are unusable. */
function refuseToken(error: unknown): never {
  if (error instanceof AuthenticationUnavailable) throw error;
  // The library's message would repeat text of the token.
  if (error instanceof errors.JOSENotSupported)
    throw new TokenRefused("its algorithm or an extension is not supported");
  if (error instanceof errors.JOSEError) throw new TokenRefused(error.message);
  throw new AuthenticationUnavailable(`the issuer's key cannot be used: ${causeOf(error)}`);
}

/**
 * Access tokens have the type `JWT`, `at+jwt` or none, and a payload in Base64 (RFC 7797, 7). Others are refused; the
 * library ignores `b64` unless `crit` names it.
 */
function checkHeader(verified: JWTVerifyResult): JWTVerifyResult {
  const { typ = "JWT", b64 = true } = verified.protectedHeader;
  if (b64 !== true) throw new TokenRefused("its payload is not encoded");
  if (/^(?:application\/)?(?:at\+)?jwt$/i.test(typ)) return verified;
  throw new TokenRefused("it is no access token");
}
