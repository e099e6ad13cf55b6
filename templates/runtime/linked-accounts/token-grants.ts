import { secureUrl } from "../access/settings.js";
import { SettingError } from "../engine/errors.js";
import type { AccountSource } from "../upstreams/credentials.js";
import { isHeaderText } from "../upstreams/parameters.js";
import { issuedToken, requestToken, type TokenAnswer } from "../upstreams/token-request.js";

/** What the authorization server of an upstream has given for one caller. It is kept encrypted only. */
export interface Account {
  readonly accessToken: string;
  /** The time of `Date.now()` from which the access token is not used; absent if the upstream alone knows when it ends. */
  readonly usedUntil?: number | undefined;
  /** Absent if the caller must sign in again when the access token ends. */
  readonly refreshToken?: string | undefined;
}

/** Why there are no tokens: the grant itself is refused, or the authorization server does not work. */
export type RefusedGrant = "refused" | "unavailable";

/** The authorization server of an upstream, at which callers sign in. */
export class TokenGrants {
  readonly name: string;
  readonly #source: AccountSource;
  readonly #tokenUrl: URL;
  readonly #authorizationUrl: URL;

  /** @throws SettingError if a URL is none, or can be read by others on the network */
  constructor(source: AccountSource, tokenUrl: URL) {
    this.name = source.name;
    this.#source = source;
    const { authorizationUrl } = source.auth;
    const address = `URL of the upstream ${source.name}`;
    this.#authorizationUrl = secureUrl(
      source.settings.text(authorizationUrl),
      `the authorization ${address}`,
    );
    this.#tokenUrl = secureUrl(tokenUrl, `the token ${address}`);
    if (this.#authorizationUrl.hash !== "") {
      throw new SettingError(`the authorization ${address} must have no fragment`);
    }
  }

  /** The URL at which a browser signs in. */
  signInUrl(redirectUri: string, state: string, challenge: string): string {
    const { auth, settings } = this.#source;
    const url = new URL(this.#authorizationUrl);
    const parameters = {
      ...auth.parameters,
      response_type: "code",
      client_id: settings.text(auth.clientId) ?? "",
      redirect_uri: redirectUri,
      ...(auth.scopes.length > 0 && { scope: auth.scopes.join(" ") }),
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Whether an answer is of this authorization server (RFC 9207). Without `issuer`, an answer may leave out who it is of; one
   * that says it must be of the place at which the browser was asked to sign in.
   */
  isIssuer(iss: string | undefined): boolean {
    const issuer = this.#source.auth.issuer && this.#source.settings.text(this.#source.auth.issuer);
    if (issuer !== undefined)
      return iss !== undefined && withoutSlash(iss) === withoutSlash(issuer);
    if (iss === undefined) return true;
    return URL.canParse(iss) && new URL(iss).origin === this.#authorizationUrl.origin;
  }

  /** Exchanges the code of a sign-in. @throws ToolError if there is no answer */
  ofCode(code: string, verifier: string, redirectUri: string): Promise<Account | RefusedGrant> {
    return this.#request({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
  }

  /** Refreshes an account. A refresh token that is not replaced stays. @throws ToolError if there is no answer */
  async refreshed(refreshToken: string): Promise<Account | RefusedGrant> {
    const account = await this.#request({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    });
    return typeof account === "string" ? account : { refreshToken, ...account };
  }

  async #request(grant: Readonly<Record<string, string>>): Promise<Account | RefusedGrant> {
    const { status, members } = await requestToken(this.#source, this.#tokenUrl, grant);
    if (status !== 200) return members["error"] === "invalid_grant" ? "refused" : "unavailable";
    return accountOf(members) ?? "unavailable";
  }
}

function accountOf(members: TokenAnswer): Account | undefined {
  const { token_type: type = "Bearer", refresh_token: refresh, expires_in: life } = members;
  const issued = issuedToken(members);
  const isBearer = typeof type === "string" && type.toLowerCase() === "bearer";
  if (issued === undefined || !isBearer) return undefined;
  return {
    accessToken: issued.token,
    ...(life !== undefined && { usedUntil: issued.usedUntil }),
    ...(typeof refresh === "string" && isHeaderText(refresh) && { refreshToken: refresh }),
  };
}

/** An issuer without the final slash that one without a path may have: people write either form. */
const withoutSlash = (issuer: string): string => issuer.replace(/^([^/]+:\/\/[^/]+)\/$/, "$1");
