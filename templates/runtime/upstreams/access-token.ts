import { orStopped } from "../backends/stop-signal.js";
import type { StopSignal } from "../engine/cancellation.js";
import type { Authenticator, Credentials } from "./credentials.js";
import type { ClientCredentials } from "./definition.js";
import { issuedToken, noToken, requestToken, type TokenSource } from "./token-request.js";

/** The number of tokens that are masked: the latest one, and earlier ones that requests may still use. */
const MAX_MASKED_TOKENS = 20;

/** A token that an authorization server has issued, as requests send it. */
export interface AccessToken {
  readonly credentials: Credentials;
  /** The time of `Date.now()` from which the token is not used. */
  readonly usedUntil: number;
}

interface AccessTokenSource extends TokenSource {
  readonly auth: ClientCredentials;
}

/** Fetches access tokens, and keeps each until it expires. At most one request for a token runs at a time. */
export class AccessTokens implements Authenticator {
  readonly #source: AccessTokenSource;
  readonly #url: URL;
  #token: AccessToken | undefined;
  #request: Promise<AccessToken> | undefined;
  /** The latest tokens, which requests may still use. */
  readonly #maskedTokens: string[] = [];

  constructor(source: AccessTokenSource, url: URL) {
    this.#source = source;
    this.#url = url;
  }

  /** All callers wait for the same request, which continues if one of them is cancelled. */
  async credentials(signal: StopSignal): Promise<Credentials> {
    const token = this.#token;
    if (token !== undefined && Date.now() < token.usedUntil) return token.credentials;
    this.#request ??= this.#fetch().finally(() => {
      this.#request = undefined;
    });
    const { credentials } = await orStopped(this.#request, signal);
    return credentials;
  }

  refused(credentials: Credentials): boolean {
    if (this.#token?.credentials === credentials) this.#token = undefined;
    return true;
  }

  async #fetch(): Promise<AccessToken> {
    const { masking, auth, name } = this.#source;
    const { scope, audience } = auth;
    const grant = { grant_type: "client_credentials", scope, audience };
    const { status, members } = await requestToken(this.#source, this.#url, grant);
    const issued = status === 200 ? issuedToken(members) : undefined;
    if (issued === undefined) throw noToken(name, status);
    const { token, usedUntil } = issued;
    if (masking.add(token)) this.#maskedTokens.push(token);
    if (this.#maskedTokens.length > MAX_MASKED_TOKENS) {
      masking.remove(this.#maskedTokens.shift() ?? "");
    }
    this.#token = { credentials: { headers: { authorization: `Bearer ${token}` } }, usedUntil };
    return this.#token;
  }
}
