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
import { causeOf } from "./fetch-json.js";
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

/** An issuer of JWTs, and what they must be like. */
export interface JwtSettings {
  readonly issuer: SettingValue;
  /** URL or file of its keys; by default its metadata says where they are. */
  readonly jwks?: SettingValue;
  /** Those that tokens may be meant for. */
  readonly audience: readonly SettingValue[];
  readonly algorithms: readonly string[];
  readonly scopes?: ScopeSettings;
  readonly require?: RequiredClaims;
  /** Whether only tokens that call themselves access tokens are taken (RFC 9068). */
  readonly strict?: boolean;
}

/** Knows callers by the JWTs of an issuer. @throws SettingError where a setting will not do */
export function jwtIssuer(settings: JwtSettings, { root }: VerificationServer): TokenVerifier {
  secureUrl(settings.issuer, "the issuer of auth.jwt");
  const issuer = identifiersOf(settings.issuer, "the issuer of auth.jwt");
  const audience = settings.audience.flatMap((one) =>
    identifiersOf(one, "an audience of auth.jwt"),
  );
  const keys = keysOf(settings, issuer, root);
  const options = {
    ...{ issuer, audience, algorithms: [...settings.algorithms] },
    ...{ clockTolerance: clockSkew, requiredClaims: ["exp"] },
    ...(settings.strict === true && { typ: "at+jwt" }),
  };
  const verifyAnew = async (token: string): Promise<Authentication> => {
    const verified = await verifyToken(token, keys, options).catch(refuse);
    const { payload } = checkType(verified);
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
    verify: remembering((token) => (isOfIssuer(token) ? verifyAnew(token) : undefined), keys),
  };
}

/** Verifies a token by the key that it names, or else by whichever key of its kind made its signature. */
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
      const verified = await jwtVerify(token, key, options).catch(unlessSignature);
      if (verified !== undefined) return verified;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function unlessSignature(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
}

interface VerifiedToken {
  readonly caller: Authentication;
  /** Those that were known before it was verified: with others it is verified again. */
  readonly keys: KeySource["current"];
}

/** Verifies each token once, as long as it has not expired and its issuer has the same keys. */
function remembering(
  verify: (token: string) => Promise<Authentication> | undefined,
  keys: KeySource,
): TokenVerifier["verify"] {
  const verified = new TokenCache<VerifiedToken>();
  return (token) => {
    const cached = verified.find(token);
    const { expiresAt = 0 } = cached?.caller ?? {};
    const isGood = cached?.keys === keys.current && expiresAt > Date.now() / 1_000;
    if (cached !== undefined && isGood) return cached.caller;
    const { current } = keys;
    return verify(token)?.then((caller) => {
      verified.keep(token, { caller, keys: current });
      return caller;
    });
  };
}

function keysOf({ jwks }: JwtSettings, issuer: readonly string[], root: string): KeySource {
  if (jwks === undefined) return new IssuerKeys((signal) => fetchIssuerKeys(issuer, signal));
  const place = textOf(jwks, "jwks of auth.jwt");
  if (!/^https?:/.test(place)) return keysOfFile(place, root);
  const url = secureUrl(place, "jwks of auth.jwt");
  return new IssuerKeys((signal) => fetchKeys(url, signal));
}

/** Who a token says that it comes from, which nobody has verified; undefined for what is no JWT. */
function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** What fails otherwise than by the token fails by the issuer: its keys are none that can be used. */
function refuse(error: unknown): never {
  if (error instanceof AuthenticationUnavailable) throw error;
  // Its message would repeat what the token says.
  if (error instanceof errors.JOSENotSupported)
    throw new TokenRefused("its algorithm or an extension is not supported");
  if (error instanceof errors.JOSEError) throw new TokenRefused(error.message);
  throw new AuthenticationUnavailable(`the issuer's key cannot be used: ${causeOf(error)}`);
}

/** Issuers call access tokens `JWT`, `at+jwt` or nothing; tokens of other kinds say so. */
function checkType(verified: JWTVerifyResult): JWTVerifyResult {
  const { typ = "JWT" } = verified.protectedHeader;
  if (/^(?:application\/)?(?:at\+)?jwt$/i.test(typ)) return verified;
  throw new TokenRefused("it is no access token");
}
