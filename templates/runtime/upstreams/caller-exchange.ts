import { hash } from "node:crypto";
import type { Authentication } from "../authentication/authentication.js";
import { tokenOfCaller } from "../authentication/caller-tokens.js";
import { Masking } from "../backends/masking.js";
import { orStopped } from "../backends/stop-signal.js";
import type { StopSignal } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import { keepLatest } from "../engine/keep-latest.js";
import { printable } from "../engine/printable.js";
import type { AccessToken } from "./access-token.js";
import type { Authenticator, Credentials } from "./credentials.js";
import type { GrantFor } from "./caller-grants.js";
import {
  issuedToken,
  noToken,
  requestToken,
  type TokenAnswer,
  type TokenSource,
} from "./token-request.js";

/** The most tokens that an upstream keeps. */
const MAX_EXCHANGED_TOKENS = 1_000;

/** For how long a refused token is not exchanged again, in milliseconds. */
const REFUSED_FOR_MS = 5_000;

/** The most characters of what an authorization server says of a refusal. */
const MAX_REASON_LENGTH = 200;

interface RefusedExchange {
  readonly error: ToolError;
  /** The time of `Date.now()` from which the authorization server is asked again. */
  readonly until: number;
}

interface ExchangeSource extends TokenSource {
  readonly grantFor: GrantFor;
}

/** The token with which a caller was authenticated. */
interface Presented {
  readonly token: string;
  readonly caller: Authentication;
  /** The time of `Date.now()` at which the token expires. */
  readonly endsAt: number;
}

/**
 * Gets tokens of the upstream for callers, who have shown tokens of their own. Each is kept for the very token that was shown, so that
 * a caller with a narrow token never gets what the same caller got with a wide one. The least used are dropped first.
 */
export class CallerExchanges implements Authenticator {
  readonly #source: ExchangeSource;
  readonly #url: URL;
  readonly #maxTokens: number;
  /** By the digest of the presented token; the last one was used last. */
  readonly #tokens = new Map<string, AccessToken>();
  /** Refusals by the digest of the presented token; the first one is the oldest. */
  readonly #refusals = new Map<string, RefusedExchange>();
  readonly #requests = new Map<string, Promise<AccessToken>>();

  constructor(source: ExchangeSource, url: URL, maxTokens = MAX_EXCHANGED_TOKENS) {
    this.#maxTokens = maxTokens;
    this.#source = source;
    this.#url = url;
  }

  /**
   * All calls with the same token wait for one request, which goes on if one of them is cancelled.
   * @throws ToolError if the caller has no token, or nothing is given for it
   */
  async credentials(signal: StopSignal, caller?: Authentication): Promise<Credentials> {
    const presented = this.#presentedBy(caller);
    const digest = digestOf(presented.token);
    const kept = this.#tokens.get(digest);
    if (kept !== undefined && Date.now() < kept.usedUntil) {
      this.#tokens.delete(digest);
      this.#tokens.set(digest, kept);
      return kept.credentials;
    }
    const refused = this.#refusals.get(digest);
    if (refused !== undefined && Date.now() < refused.until) throw refused.error;
    let request = this.#requests.get(digest);
    if (request === undefined) {
      request = this.#exchange(presented, digest).finally(() => this.#requests.delete(digest));
      this.#requests.set(digest, request);
    }
    return (await orStopped(request, signal)).credentials;
  }

  refused(credentials: Credentials, caller?: Authentication): boolean {
    const token = tokenOfCaller(caller);
    const digest = token === undefined ? "" : digestOf(token);
    if (this.#tokens.get(digest)?.credentials === credentials) this.#tokens.delete(digest);
    return true;
  }

  #presentedBy(caller: Authentication | undefined): Presented {
    const token = tokenOfCaller(caller);
    const endsAt = (caller?.expiresAt ?? Infinity) * 1_000;
    if (caller !== undefined && token !== undefined && Date.now() < endsAt) {
      return { token, caller, endsAt };
    }
    throw new ToolError(
      `The upstream ${this.#source.name} is asked in the name of the caller, who has no valid token of an authorization server.`,
    );
  }

  async #exchange(presented: Presented, digest: string): Promise<AccessToken> {
    const { grantFor, masking: shared, name } = this.#source;
    const masking = new Masking(shared);
    masking.add(presented.token);
    const { fields, acting } = await grantFor(presented.token, presented.caller, masking);
    const { status, members } = await requestToken(this.#source, this.#url, fields, masking);
    if (status !== 200) {
      const error = refusal(name, members, masking);
      if (error === undefined) throw noToken(name, status);
      const refused = { error, until: Date.now() + REFUSED_FOR_MS };
      keepLatest(this.#refusals, digest, refused, this.#maxTokens);
      throw error;
    }
    const issued = isBearer(members) ? issuedToken(members) : undefined;
    if (issued === undefined) throw noToken(name, status);
    masking.add(issued.token);
    const headers = { authorization: `Bearer ${issued.token}` };
    const usedUntil = Math.min(issued.usedUntil, presented.endsAt);
    const exchanged = { credentials: { headers, masking, acting }, usedUntil };
    this.#keep(digest, exchanged);
    return exchanged;
  }

  #keep(digest: string, exchanged: AccessToken): void {
    const now = Date.now();
    for (const [key, { usedUntil }] of this.#tokens) {
      if (usedUntil <= now) this.#tokens.delete(key);
    }
    keepLatest(this.#tokens, digest, exchanged, this.#maxTokens);
  }
}

function digestOf(token: string): string {
  return hash("sha256", token, "base64");
}

/** Whether an issued token is used as a bearer token: an exchange may also give tokens that are not. */
function isBearer({ token_type: type = "Bearer" }: TokenAnswer): boolean {
  return typeof type === "string" && type.toLowerCase() === "bearer";
}

/** The errors that say that the caller must do something first, at the authorization server. */
const NEEDS_CALLER =
  /^(?:consent_required|interaction_required|login_required|account_selection_required)$/;

/** The errors that say that nothing is given for the caller's token. */
const REFUSES_CALLER = /^(?:invalid_grant|access_denied|invalid_target|invalid_scope)$/;

/**
 * The error for a caller to whom the authorization server gives nothing; undefined if it says nothing of the caller.
 * Nobody else's token is used instead.
 */
function refusal(name: string, members: TokenAnswer, masking: Masking): ToolError | undefined {
  const { error, suberror, error_description: description } = members;
  const codes = [suberror, error].filter((code) => typeof code === "string");
  const reason =
    typeof description === "string" ? printable(masking.text(description), MAX_REASON_LENGTH) : "";
  const needed = codes.find((code) => NEEDS_CALLER.test(code));
  const because = (words: string): ToolError =>
    new ToolError(
      `The upstream ${name} cannot be asked in the name of the caller: ${[words, reason].filter(Boolean).join(": ")}`,
    );
  if (needed !== undefined) return because(needed.replaceAll("_", " "));
  const refused = codes.find((code) => REFUSES_CALLER.test(code));
  return refused === undefined ? undefined : because(refused.replaceAll("_", " "));
}
