import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT, type CryptoKey } from "jose";
import { OTHER_RESOURCE, type AuthorizationServer } from "./authorization-server.js";

/** Tokens, accepted and refused, of a server that trusts one authorization server. */

/** The server that the tokens are for. */
export const RESOURCE = "https://books.example/mcp";

export const API_KEY = "any text: a key, with spaces!";

/** Makes each kind of token anew. */
type Tokens = Readonly<Record<string, () => Promise<string | undefined>>>;

/** Tokens of the authorization server, and those that differ from them in what does not matter. */
export function acceptedTokens(idp: AuthorizationServer, evil: Evil) {
  const forge = forgerOf(idp);
  return {
    right: () => idp.token("reader", RESOURCE),
    opaque: () => idp.token("opaque", RESOURCE),
    "API key": async () => API_KEY,
    "type JWT": () => forge({ header: { typ: "JWT" } }),
    "no type": () => forge({ header: { typ: undefined } }),
    "expired within the skew": () => forge({ claims: { exp: seconds(-10) } }),
    "list of audiences": () => forge({ claims: { aud: ["a", RESOURCE] } }),
    "right, with places of other keys": () => forge({ header: placesOf(evil) }),
  } satisfies Tokens;
}

/** Tokens of others, for others, and those with a wrong claim, header or signature. */
export function refusedTokens(idp: AuthorizationServer, evil: Evil) {
  const forge = forgerOf(idp);
  return {
    none: async () => undefined,
    empty: async () => "",
    malformed: async () => "a.b.c",
    "another server's": () => idp.token("reader", OTHER_RESOURCE),
    "of another tenant": () => idp.token("elsewhere", RESOURCE),
    "opaque, another server's": () => idp.token("opaque", OTHER_RESOURCE),
    "opaque, revoked": async () => {
      const token = await idp.token("opaque", RESOURCE);
      await idp.revoke(token);
      return token;
    },
    "wrong API key": async () => `${API_KEY}!`,
    "wrong issuer": () => forge({ claims: { iss: "https://evil.example" } }),
    expired: () => forge({ claims: { exp: seconds(-60) } }),
    "without an end": () => forge({ claims: { exp: undefined } }),
    "without an audience": () => forge({ claims: { aud: undefined } }),
    "not yet valid": () => forge({ claims: { nbf: seconds(60) } }),
    "without a subject": () => forge({ claims: { sub: undefined } }),
    "type of ID tokens": () => forge({ header: { typ: "id+jwt" } }),
    "unknown extension": () => forge({ header: { crit: ["urn:new"], "urn:new": 1 } }),
    ...wronglySigned(idp, evil),
  } satisfies Tokens;
}

function wronglySigned(idp: AuthorizationServer, evil: Evil) {
  const forge = forgerOf(idp);
  return {
    "signature cut off": async () => (await forge({})).replace(/[^.]+$/, ""),
    "algorithm none": async () =>
      new UnsecuredJWT({ tenant: "acme", scope: "read" })
        .setIssuer(idp.issuer)
        .setAudience(RESOURCE)
        .setSubject("ada")
        .setExpirationTime("1m")
        .encode(),
    "public key as a secret": () => {
      const { d: _private, ...shown } = idp.key;
      const key = new TextEncoder().encode(JSON.stringify(shown));
      return forge({ header: { alg: "HS256" }, key });
    },
    "key of somebody else": async () => forge({ key: (await generateKeyPair("ES256")).privateKey }),
    "key unknown": async () => {
      const { privateKey: key } = await generateKeyPair("ES256");
      return forge({ header: { kid: "unknown" }, key });
    },
    "key at a place that the token names": async () =>
      forge({ header: placesOf(evil), key: evil.key }),
    "key in the token": async () => {
      const pair = await generateKeyPair("ES256", { extractable: true });
      const jwk = await exportJWK(pair.publicKey);
      return forge({ header: { jwk, kid: undefined }, key: pair.privateKey });
    },
  } satisfies Tokens;
}

/** What a forged token changes of a right one. */
interface Forgery {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: CryptoKey | Uint8Array;
}

/** Makes tokens as the authorization server makes them, signed with its key, but for what is changed. */
function forgerOf(idp: AuthorizationServer): (forgery: Forgery) => Promise<string> {
  return async ({ claims, header, key }) => {
    const now = seconds(0);
    const { kid } = idp.key;
    const usual = { iss: idp.issuer, sub: "ada", aud: RESOURCE, exp: now + 60, scope: "read" };
    const signed = new SignJWT({ ...usual, tenant: "acme", ...claims });
    signed.setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid, ...header });
    return signed.sign(key ?? (await importJWK(idp.key, "ES256")), { crit: { "urn:new": true } });
  };
}

const seconds = (ahead: number): number => Math.floor(Date.now() / 1_000) + ahead;

/** Headers that say where a key is. */
const placesOf = ({ url }: Evil) => ({ jku: `${url}/jwks`, x5u: `${url}/certificate` });

/** Somebody who signs tokens with a key of the same name, and shows it. */
export interface Evil {
  readonly url: string;
  readonly key: CryptoKey;
  /** How often it was asked for the key. */
  asked: number;
  stop(): void;
}

export async function startEvil(idp: AuthorizationServer): Promise<Evil> {
  const { privateKey: key, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  const pages = createServer((_request, response) => {
    started.asked += 1;
    response.end(JSON.stringify({ keys: [{ ...jwk, kid: idp.key.kid, alg: "ES256" }] }));
  }).listen(0, "127.0.0.1");
  await once(pages, "listening");
  const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const started: Evil = { url, key, asked: 0, stop: () => void pages.close() };
  return started;
}
