import type { Dispatcher } from "undici";
import { orStopped } from "../backends/stop-signal.js";
import { Cancellation, type StopSignal } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import { basic, type Authenticator, type Credentials } from "./credentials.js";
import type { ClientCredentials } from "./definition.js";
import { exchange } from "./exchange.js";
import type { IncomingAnswer } from "./messages.js";
import { failureOf } from "./failures.js";
import type { Masking } from "../backends/masking.js";
import { formText, isHeaderText } from "./parameters.js";
import type { Settings } from "./settings.js";

/** How long before its expiry a token is used no longer, in milliseconds. */
const EXPIRY_MARGIN_MS = 30_000;

/** The lifetime of a token whose response does not have one, in milliseconds. */
const DEFAULT_LIFETIME_MS = 300_000;

const MAX_RESPONSE_BYTES = 65_536;

/** The number of tokens that are masked: the latest one, and earlier ones that requests may still use. */
const MAX_MASKED_TOKENS = 20;

interface AccessToken {
  readonly credentials: Credentials;
  /** The time of `Date.now()` from which the token is not used. */
  readonly usedUntil: number;
}

/** The settings of the requests for tokens. */
export interface TokenSource {
  /** The name of the upstream. */
  readonly name: string;
  readonly auth: ClientCredentials;
  readonly settings: Settings;
  readonly agent: Dispatcher;
  readonly masking: Masking;
  readonly timeoutMs: number;
}

/** Fetches access tokens, and keeps each until it expires. At most one request for a token runs at a time. */
export class AccessTokens implements Authenticator {
  readonly #source: TokenSource;
  readonly #url: URL;
  #token: AccessToken | undefined;
  #request: Promise<AccessToken> | undefined;
  /** The latest tokens, which requests may still use. */
  readonly #maskedTokens: string[] = [];

  constructor(source: TokenSource, url: URL) {
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
    const { masking } = this.#source;
    const { status, body } = await this.#requestToken();
    const response = status === 200 ? parseObject(body.toString()) : {};
    const { access_token: token, expires_in: seconds } = response;
    if (typeof token !== "string" || token === "" || !isHeaderText(token)) {
      throw new ToolError(`The upstream ${this.#source.name} gave no access token (${status}).`);
    }
    if (masking.add(token)) this.#maskedTokens.push(token);
    if (this.#maskedTokens.length > MAX_MASKED_TOKENS) {
      masking.remove(this.#maskedTokens.shift() ?? "");
    }
    const hasLifetime = typeof seconds === "number" && seconds > 0;
    const lifetimeMs = hasLifetime ? seconds * 1_000 : DEFAULT_LIFETIME_MS;
    const usedUntil = Date.now() + Math.max(lifetimeMs - EXPIRY_MARGIN_MS, lifetimeMs / 2);
    this.#token = { credentials: { headers: { authorization: `Bearer ${token}` } }, usedUntil };
    return this.#token;
  }

  async #requestToken(): Promise<IncomingAnswer> {
    const { name, agent, timeoutMs } = this.#source;
    const { origin, pathname, search } = this.#url;
    const { headers, body } = this.#form();
    const request = { method: "POST", origin, path: pathname + search, headers, body } as const;
    const limits = { timeoutMs, maxBytes: MAX_RESPONSE_BYTES, truncate: false };
    try {
      return await exchange(agent, request, limits, new Cancellation(), name);
    } catch (error) {
      throw failureOf(name, error, timeoutMs).error;
    }
  }

  #form(): { headers: Record<string, string>; body: string } {
    const { auth, settings, masking } = this.#source;
    const clientId = settings.text(auth.clientId) ?? "";
    const clientSecret = settings.text(auth.clientSecret) ?? "";
    masking.add(clientSecret);
    const form = { grant_type: "client_credentials", scope: auth.scope, audience: auth.audience };
    const headers = {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    };
    if (auth.sendIn === "form") {
      const body = formText({ ...form, client_id: clientId, client_secret: clientSecret });
      return { headers, body };
    }
    const authorization = basic(
      encodeURIComponent(clientId),
      encodeURIComponent(clientSecret),
      masking,
    );
    return { headers: { ...headers, authorization }, body: formText(form) };
  }
}

/** The members of a JSON object; none if the text is no JSON. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
