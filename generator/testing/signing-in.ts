import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthTokens,
} from "@modelcontextprotocol/client";

/** What a client of a person keeps while the person signs in. */
export class SigningIn implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1:9/signed-in";
  readonly clientMetadata = {
    client_name: "test",
    application_type: "native" as const,
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: "none",
  };
  /** Where the person is sent to. */
  authorization: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = "";

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
