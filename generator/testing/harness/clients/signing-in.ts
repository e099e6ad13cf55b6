import {
  StreamableHTTPClientTransport,
  type Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
} from "@modelcontextprotocol/client";
import * as assert from "uvu/assert";
import { REDIRECT_URL, type AuthorizationServer } from "../services/authorization-server.js";
import { connectClient } from "./every-method.js";
import type { Era } from "./project-clients.js";

/** What a client of a person keeps while the person signs in. */
export class SigningIn implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URL;
  readonly clientMetadata = {
    client_name: "test",
    application_type: "native" as const,
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: "none",
  };
  /** Where authorization servers read who the client is; it registers with those that do not. */
  readonly clientMetadataUrl?: string;
  /** Where the person is sent to. */
  authorization: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = "";

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (granted: OAuthTokens) => void (this.#tokens = granted);
  redirectToAuthorization = (url: URL) => void (this.authorization = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
}

/** The `fetch` of a client that reaches a server under its public URL, as behind a proxy. */
export function throughProxy(
  publicUrl: string,
  serverUrl: string,
  seen: (line: string) => void = () => undefined,
): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const target = url.origin === new URL(publicUrl).origin ? serverUrl : url;
    const answer = await fetch(new URL(url.pathname + url.search, target), init);
    seen(`${init?.method ?? "GET"} ${url.pathname} ${answer.status}`);
    return answer;
  };
}

/** A server that people sign in to, as its clients see it. */
export interface GuardedServer {
  readonly publicUrl: string;
  readonly url: string;
  readonly idp: AuthorizationServer;
}

/** Connects the official client with a user who must sign in first. @returns also the requests on the way */
export async function connectBySigningIn(
  { publicUrl, url, idp }: GuardedServer,
  era: Era,
  authProvider: SigningIn,
): Promise<{ readonly client: Client; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const options = { authProvider, fetch: throughProxy(publicUrl, url, (line) => asked.push(line)) };
  const first = new StreamableHTTPClientTransport(new URL(publicUrl), options);
  await connectClient(first, era).then(
    () => assert.unreachable("nobody has signed in"),
    (error: Error) => assert.is(error.name, "UnauthorizedError", error.stack),
  );
  const authorization = authProvider.authorization as URL;
  assert.is(authorization.searchParams.get("resource"), publicUrl);
  assert.is(authorization.searchParams.get("code_challenge_method"), "S256");
  await first.finishAuth((await idp.signIn("ada", authorization)).searchParams);
  const second = new StreamableHTTPClientTransport(new URL(publicUrl), options);
  return { client: await connectClient(second, era), asked };
}
