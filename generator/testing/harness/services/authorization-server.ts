import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { JWK } from "jose";
import Provider, { type ClientMetadata, type Configuration } from "oidc-provider";
import { exchangeTokens, TOKEN_EXCHANGE } from "./token-exchange.js";

/** A client of the authorization server, with the properties of its tokens. */
export type ClientName = "reader" | "writer" | "elsewhere" | "opaque";

/** What authorization servers sign with, as JWK with the private part. */
export type SigningKey = JWK & { readonly kid: string; readonly alg: string };

export interface AuthorizationServer {
  readonly issuer: string;
  /** The key that it signs with now. */
  readonly key: SigningKey;
  /** How often it was asked for its metadata or its keys, as paths. */
  readonly asked: string[];
  /** How often it has read {@link CLIENT_DOCUMENT}. */
  readonly documentsRead: number;
  /** A token of a client for a resource, by client credentials. */
  token(client: ClientName, resource: string, scope?: string): Promise<string>;
  revoke(token: string): Promise<void>;
  /** Signs a person in and grants the request of a client. Returns the URL of the redirect. */
  signIn(name: string, authorization: URL): Promise<URL>;
  /** Signs with a new key from now on, and publishes no other. */
  rotate(): void;
  stop(): Promise<void>;
}

/** What every client of these tests is called by. */
export const CLIENT_SECRET = "a-secret-of-the-tests";

/** A resource for whose tokens clients are sent elsewhere. */
export const OTHER_RESOURCE = "https://other.example/mcp";

/** Where people are sent back to once they have signed in. */
export const REDIRECT_URL = "http://127.0.0.1:9/signed-in";

/** A client that is not registered. Its id is the URL of its own description. */
export const CLIENT_DOCUMENT = "https://client.example/metadata.json";

/** Starts `oidc-provider` on this machine. Tokens say that they are of the tenant acme, but for those of `elsewhere`. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked: string[] = [];
  let documentsRead = 0;
  const fetchDocument: typeof fetch = async (url) => {
    if (String(url) !== CLIENT_DOCUMENT) return new Response(null, { status: 404 });
    documentsRead += 1;
    return Response.json(clientDocument);
  };
  const providerWith = (key: SigningKey) => {
    const provider = new Provider(issuer, { ...configuration(key), fetch: fetchDocument });
    exchangeTokens(provider, key);
    return provider.callback();
  };
  let key = newKey();
  let handle = providerWith(key);
  server.on("request", (request, response) => {
    if (/well-known|jwks/.test(request.url ?? "")) asked.push(request.url ?? "");
    void handle(request, response);
  });
  return {
    issuer,
    asked,
    get key() {
      return key;
    },
    get documentsRead() {
      return documentsRead;
    },
    token: (client, resource, scope = "read") =>
      post(`${issuer}/token`, client, {
        grant_type: "client_credentials",
        resource,
        ...(scope === "" ? {} : { scope }),
      }).then((answer) => (answer as { access_token: string }).access_token),
    revoke: async (token) => {
      await post(`${issuer}/token/revocation`, "opaque", { token });
    },
    signIn,
    rotate: () => {
      key = newKey();
      handle = providerWith(key);
    },
    stop: () => stop(server),
  };
}

/** Follows redirects and sends the forms of the pages, with a browser's cookies. */
async function signIn(name: string, authorization: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let [url, form]: [URL, URLSearchParams | undefined] = [authorization, undefined];
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join("; ");
    const sent = form === undefined ? {} : { method: "POST", body: form };
    const answer = await fetch(url, { ...sent, headers: { cookie }, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(key, value);
    }
    const text = await answer.text();
    const location = answer.headers.get("location");
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (location !== null) {
      [url, form] = [new URL(location, url), undefined];
      if (url.origin !== authorization.origin) return url;
    } else if (prompt !== undefined) {
      form = new URLSearchParams({ prompt, login: name, password: "any" });
    } else throw new Error(`${url.pathname} answered with ${answer.status}: ${text}`);
  }
  throw new Error("the sign-in goes on for ever");
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const kid = `key-${Math.random().toString(36).slice(2)}`;
  return { ...privateKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" } as SigningKey;
}

function configuration(key: SigningKey): Configuration {
  const names: readonly ClientName[] = ["reader", "writer", "elsewhere", "opaque"];
  return {
    clients: [
      ...names.map((name) => clientOf(name, "client_credentials")),
      clientOf("members", TOKEN_EXCHANGE),
    ],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    jwks: { keys: [key] },
    scopes: ["offline_access", ...SCOPES.split(" ")],
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource, { clientId }) => ({
          scope: SCOPES,
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: clientId === "opaque" ? "opaque" : "jwt",
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
    extraTokenClaims: (_context, token) => ({
      tenant: token.clientId === "elsewhere" ? "other" : "acme",
      ...("accountId" in token ? claimsOf(token.accountId) : {}),
    }),
  };
}

/** A client with a secret. */
function clientOf(name: string, grant: string): ClientMetadata {
  return {
    client_id: name,
    client_secret: CLIENT_SECRET,
    grant_types: [grant],
    redirect_uris: [],
    response_types: [],
  };
}

/** What the client says of itself, as it would stand on its web site. */
const clientDocument = {
  client_id: CLIENT_DOCUMENT,
  client_name: "test",
  application_type: "native",
  redirect_uris: [REDIRECT_URL],
  token_endpoint_auth_method: "none",
};

const SCOPES = "read write member librarian returns api://books/write";

/** Everybody who signs in is a member, and Lin keeps the books. Their role in databases is the highest. */
function claimsOf(person: string): { roles: string[]; db_role: string } {
  return person === "lin"
    ? { roles: ["member", "librarian"], db_role: "librarian" }
    : { roles: ["member"], db_role: "member" };
}

async function post(
  url: string,
  client: ClientName,
  fields: Readonly<Record<string, string>>,
): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${client}:${CLIENT_SECRET}`).toString("base64")}`;
  const body = new URLSearchParams(fields);
  const response = await fetch(url, { method: "POST", headers: { authorization }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered with ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
