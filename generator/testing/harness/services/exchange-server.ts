import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet, type JWK } from "jose";
import Provider, {
  errors,
  type Configuration,
  type TokenEndpointGrantContext,
} from "oidc-provider";
import { Agent, fetch } from "undici";
import {
  selfSignedCertificate,
  type Certificate,
} from "../../../../templates/runtime/suite/clients/self-signed-certificate.js";

const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const SIGN_IN = "urn:example:signed-in";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The MCP server, for which callers have tokens. */
export const SERVER_RESOURCE = "https://books.example/mcp";

/** The service that is asked in the name of callers, for which tokens are given. */
export const SERVICE = "https://orders.example";

/** The name by which the server signs who calls. */
export const SIGNER = "books@accounts.example";

/** What the clients of {@link startExchangeServer} show of themselves, and what it has seen. */
export interface ExchangeServer {
  readonly issuer: string;
  readonly tokenUrl: string;
  /** The certificate of its connections, which clients must trust. */
  readonly certificate: string;
  /** The public keys with which it signs. */
  readonly keys: JSONWebKeySet;
  /** The secret of all clients that have one. */
  readonly secret: string;
  /** The private key of the client `by-key` and of {@link SIGNER}. */
  readonly clientKey: JWK;
  /** The certificate of the client `by-certificate`. */
  readonly clientCertificate: Certificate;
  /** Who was acted for by which client, for each token that was given. */
  readonly given: { readonly client: string; readonly subject: string; readonly grant: string }[];
  /** Everything that must be seen by nobody else: what was shown and what was given. */
  readonly confidential: string[];
  /** A token for {@link SERVER_RESOURCE} of a caller: `ada`, `bob`, or `eve`, who has agreed to nothing. */
  token(caller: string, scope?: string): Promise<string>;
  stop(): Promise<void>;
}

type GrantContext = TokenEndpointGrantContext<Readonly<Record<string, string>>>;

/**
 * Starts `oidc-provider` on this machine over TLS, with the authentication of clients that is its own: by secrets,
 * private keys and certificates. It has no token exchange, which is registered as a grant of its own.
 */
export async function startExchangeServer(): Promise<ExchangeServer> {
  const [own, clientCertificate] = [selfSignedCertificate(), selfSignedCertificate()];
  const [signingKey, clientKey] = [newKey("idp"), newKey("client")];
  const secret = "secret-of-the-client-4711-marked";
  const tls = { ...own, requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { keys: [publicPart(signingKey)] };
  const given: ExchangeServer["given"] = [];
  const confidential = [secret, String(clientKey.d)];
  const provider = new Provider(issuer, {
    ...configuration(signingKey, clientCertificate),
    clients: clientsOf(secret, clientKey),
  });
  const trusted = { [issuer]: createLocalJWKSet(keys), [SIGNER]: keysOf(clientKey) };
  const tokenOf = (
    client: GrantContext["oidc"]["client"],
    accountId: string,
    scope: string,
    audience: string,
  ): Promise<string> =>
    new provider.AccessToken({
      ...{ client, accountId, grantId: "", gty: "exchange", scope },
      resourceServer: new provider.ResourceServer(audience, {
        ...{ scope, audience, accessTokenFormat: "jwt", jwt: { sign: { alg: "ES256" } } },
      }),
    }).save();
  // Stands for the pages on which people sign in.
  const signIn = async (context: GrantContext): Promise<void> => {
    const { params, client } = context.oidc;
    const scope = String(params["scope"]);
    const issued = await tokenOf(client, String(params["person"]), scope, SERVER_RESOURCE);
    confidential.push(issued);
    context.body = { access_token: issued, token_type: "Bearer", expires_in: 600, scope };
  };
  const grant = async (context: GrantContext): Promise<void> => {
    const { params, client } = context.oidc;
    for (const name of ["subject_token", "assertion", "client_assertion"]) {
      const shown = params[name];
      if (typeof shown === "string") confidential.push(shown);
    }
    const { subject, scope } = await subjectOf(params, trusted, issuer);
    const issued = await tokenOf(client, subject, scope, SERVICE);
    confidential.push(issued);
    given.push({ client: client.clientId, subject, grant: params.grant_type });
    context.body = { access_token: issued, token_type: "Bearer", expires_in: 600, scope };
  };
  const fields = ["subject_token", "subject_token_type", "audience", "scope"];
  provider.registerGrantType(EXCHANGE, grant, fields);
  provider.registerGrantType(SIGN_IN, signIn, ["person", "scope"]);
  provider.registerGrantType(JWT_BEARER, grant, ["assertion", "requested_token_use", "scope"]);
  server.on("request", provider.callback());
  const agent = new Agent({ connect: { ca: own.cert } });
  const tokenUrl = `${issuer}/token`;
  return {
    ...{ issuer, tokenUrl, certificate: own.cert, keys, secret, clientKey, clientCertificate },
    ...{ given, confidential },
    async token(caller, scope = "read") {
      const authorization = `Basic ${Buffer.from(`page:${secret}`).toString("base64")}`;
      const form = { grant_type: SIGN_IN, person: caller, scope };
      const body = new URLSearchParams(form);
      const options = { method: "POST", headers: { authorization }, body, dispatcher: agent };
      const answer = await fetch(tokenUrl, options);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`the token endpoint answered ${answer.status}: ${text}`);
      const { access_token: token } = JSON.parse(text) as { readonly access_token: string };
      return token;
    },
    async stop() {
      await agent.destroy();
      await stop(server);
    },
  };
}

/**
 * Who is acted for, and with which of the requested scopes: the subject of a token that this server has given for the MCP
 * server, or of an assertion that somebody has signed whom it trusts.
 */
async function subjectOf(
  params: GrantContext["oidc"]["params"],
  trusted: Readonly<Record<string, ReturnType<typeof createLocalJWKSet>>>,
  issuer: string,
): Promise<{ subject: string; scope: string }> {
  const presented = String(params["subject_token"] ?? params["assertion"]);
  const isOfServer =
    params["assertion"] === undefined || params["requested_token_use"] !== undefined;
  const signer = isOfServer ? issuer : String(decodeJwt(presented).iss);
  const audience = isOfServer ? SERVER_RESOURCE : `${issuer}/token`;
  const key = trusted[signer];
  if (key === undefined) throw new errors.InvalidGrant("the issuer is not trusted");
  const verified = await jwtVerify(presented, key, { issuer: signer, audience }).catch(() => {
    throw new errors.InvalidGrant("what was presented cannot be verified");
  });
  const { sub: subject = "", scope: had } = verified.payload;
  if (subject === "eve") {
    throw new errors.CustomOIDCProviderError("consent_required", "eve has agreed to nothing");
  }
  const granted = String(params["scope"] ?? "").split(" ");
  const scope = granted.filter((one) => String(had).split(" ").includes(one)).join(" ");
  if (scope === "")
    throw new errors.CustomOIDCProviderError("invalid_scope", "nothing is left of it");
  return { subject, scope };
}

function configuration(key: JWK, clientCertificate: Certificate): Configuration {
  const { fingerprint256, raw } = new X509Certificate(clientCertificate.cert);
  const peerOf = ({ socket }: IncomingMessage) => (socket as TLSSocket).getPeerCertificate();
  return {
    clientAuthMethods: [
      "client_secret_basic",
      "client_secret_post",
      "private_key_jwt",
      "tls_client_auth",
    ],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    jwks: { keys: [key] },
    scopes: SCOPES.split(" "),
    features: {
      devInteractions: { enabled: false },
      mTLS: {
        enabled: true,
        tlsClientAuth: true,
        getCertificate: ({ req }) => {
          const { raw: shown } = peerOf(req) as { readonly raw?: Buffer };
          return shown?.equals(raw) ? new X509Certificate(shown) : undefined;
        },
        certificateAuthorized: ({ req }) => peerOf(req).fingerprint256 === fingerprint256,
        certificateSubjectMatches: ({ req }, _property, expected) =>
          `CN=${String(peerOf(req).subject.CN)}` === expected,
      },
    },
  };
}

const SCOPES = "read write";

/** The page on which people sign in, and the clients by which the MCP server gets tokens for them. */
function clientsOf(secret: string, key: JWK): NonNullable<Configuration["clients"]> {
  const none = { redirect_uris: [], response_types: [] };
  const withSecret = (client_id: string, grant: string) => ({
    ...{ client_id, client_secret: secret, grant_types: [grant], ...none },
  });
  return [
    withSecret("page", SIGN_IN),
    withSecret("by-secret", EXCHANGE),
    { ...withSecret("signer", JWT_BEARER), token_endpoint_auth_method: "client_secret_post" },
    {
      ...{ client_id: "by-key", grant_types: [EXCHANGE, JWT_BEARER], ...none },
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [publicPart(key)] },
    },
    {
      ...{ client_id: "by-certificate", grant_types: [EXCHANGE], ...none },
      token_endpoint_auth_method: "tls_client_auth",
      tls_client_auth_subject_dn: "CN=localhost",
    },
  ] as NonNullable<Configuration["clients"]>;
}

/** A new private key of P-256. */
export function newKey(kid: string): JWK {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { ...privateKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" } as JWK;
}

function publicPart({ d: _private, ...key }: JWK): JWK {
  return key;
}

function keysOf(key: JWK): ReturnType<typeof createLocalJWKSet> {
  return createLocalJWKSet({ keys: [publicPart(key)] });
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
