import { createHash, createPrivateKey, randomUUID, type KeyObject } from "node:crypto";
import { SignJWT, type JWK } from "jose";
import type { OpenKey } from "./assertion.js";

/** How long an assertion is accepted, in seconds: for clocks that differ a little, and no longer than servers allow. */
const LIFETIME_S = 120;

/** A private key, and what the header of its assertions says of it. */
interface PrivateKey {
  readonly jwk: JWK;
  readonly header: { readonly alg: string } & Readonly<Record<string, string>>;
}

/**
 * Reads a private key: a JWK, a key in PEM format, or the file of a service account of Google. `kid` and `alg` of a JWK go
 * into the header of what it signs, as does the thumbprint of a certificate beside the key.
 *
 * @throws Error if there is no private key with which assertions can be signed; the message does not have the text
 */
export const openKey: OpenKey = (text, keyId) => {
  const { jwk, header } = readKey(text);
  const kid = keyId === undefined ? {} : { kid: keyId };
  return (claims) => {
    const now = Math.floor(Date.now() / 1_000);
    const times = { iat: now, nbf: now, exp: now + LIFETIME_S };
    return new SignJWT({ ...claims, ...times, jti: randomUUID() })
      .setProtectedHeader({ typ: "JWT", ...header, ...kid })
      .sign(jwk);
  };
};

function readKey(text: string): PrivateKey {
  const members = text.trimStart().startsWith("{") ? membersOf(text) : { private_key: text };
  const { private_key: pem, private_key_id: id } = members;
  const { kid = id, alg, x5t, "x5t#S256": x5tS256 } = members;
  const key = keyOf(pem === undefined ? { key: members, format: "jwk" } : pemOf(pem));
  const jwk = key.export({ format: "jwk" }) as JWK;
  const named = {
    ...{ kid, x5t, "x5t#S256": x5tS256 },
    ...(pem === undefined ? {} : thumbprintsOf(pemOf(pem))),
  };
  const texts = Object.entries(named).filter(([, value]) => typeof value === "string");
  const known = Object.fromEntries(texts) as Readonly<Record<string, string>>;
  return { jwk, header: { alg: algorithmOf(key, alg), ...known } };
}

/** The PEM text of a setting. Files of settings often have `\n` for the ends of its lines. */
function pemOf(value: unknown): string {
  return String(value).replaceAll("\\n", "\n");
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    throw noKey();
  }
}

function keyOf(source: unknown): KeyObject {
  try {
    return createPrivateKey(source as string);
  } catch {
    throw noKey();
  }
}

function noKey(): Error {
  return new Error("it has no private key as a JWK or in PEM format");
}

/** The algorithms of each type of keys. The first is the usual one. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  rsa: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ed25519: ["EdDSA", "Ed25519"],
  prime256v1: ["ES256"],
  secp384r1: ["ES384"],
  secp521r1: ["ES512"],
};

/** Shorter keys of RSA are no keys for JWTs (RFC 7518, section 3.3). */
const MIN_RSA_BITS = 2_048;

/** The algorithm that a key states, or the usual one for it. @throws Error if the key cannot be used with it */
function algorithmOf(
  { asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject,
  stated: unknown,
): string {
  const kind = String(details.namedCurve ?? type);
  const algorithms = ALGORITHMS[kind] ?? [];
  const [usual] = algorithms;
  if (usual === undefined) throw new Error(`no algorithm signs with a key of the type ${kind}`);
  if ((details.modulusLength ?? MIN_RSA_BITS) < MIN_RSA_BITS) {
    throw new Error(`its key is shorter than ${MIN_RSA_BITS} bits`);
  }
  if (stated === undefined) return usual;
  if (algorithms.includes(String(stated))) return String(stated);
  throw new Error(`its alg must be one of ${algorithms.join(", ")}`);
}

/** The thumbprints of a certificate, by which Microsoft Entra finds the key; none if the text has no certificate. */
function thumbprintsOf(pem: string): Readonly<Record<string, string>> {
  const [, encoded] = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/.exec(pem) ?? [];
  if (encoded === undefined) return {};
  const certificate = Buffer.from(encoded, "base64");
  const digest = (name: string): string => createHash(name).update(certificate).digest("base64url");
  return { x5t: digest("sha1"), "x5t#S256": digest("sha256") };
}
