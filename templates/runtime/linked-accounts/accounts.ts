import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { secureUrl } from "../access/settings.js";
import { MemoryNonces, type Nonces } from "../consent/nonces.js";
import { SettingError, ToolError } from "../engine/errors.js";
import type { Logger } from "../observe/log.js";
import { Seal } from "../sealing/seal.js";
import type { AccountSource, Authenticator, CallerAccounts } from "../upstreams/credentials.js";
import { AccountTokens } from "./account-tokens.js";
import { keyOf, linkPath } from "./holders.js";
import { sha256Of, Links, UselessLink } from "./links.js";
import { MemoryAccounts, WAITING_MS, type AccountStore } from "./store.js";
import { TokenGrants, type Account } from "./token-grants.js";

/** What linked accounts need of a server. */
export interface AccountOptions {
  /** The first encrypts, all decrypt. By default, this process makes one. */
  readonly requestStateKeys?: readonly string[] | undefined;
  readonly nonces?: Nonces | undefined;
  /** Where accounts are kept. By default, in the memory of this process. */
  readonly accountStore?: AccountStore | undefined;
  /** The URL of the endpoint, as clients know it; undefined if nobody can reach it. */
  readonly publicUrl?: string | undefined;
  readonly log: Logger;
  /** The most accounts with refused access tokens that are remembered; for tests. */
  readonly maxRefused?: number;
  /** Returns the time; for tests. */
  readonly now?: () => number;
}

/** Thrown where a caller has not linked an account. Its text has the link, for clients that cannot be asked. */
export class LinkNeeded extends ToolError {
  readonly upstream: string;
  /** Where the caller signs in. */
  readonly url: string;

  constructor(upstream: string, url: string) {
    super(
      `The upstream ${upstream} is asked in the name of the caller, who has not linked an account yet. Let the user open ${url} in a browser and sign in there. The page then shows a code: call the tool connect with {"upstream":"${upstream}","code":"THE CODE"}, and repeat this call. The link is for this user alone.`,
    );
    this.upstream = upstream;
    this.url = url;
  }
}

/** What became of a code: the account is linked; the code is `wrong`; or no account waits for one (any more). */
export type CodeOutcome = "linked" | "wrong" | "gone";

/** A sign-in that has failed. The message is for the person at the browser. */
export class SignInFailed extends Error {}

/** What a browser brings back from the authorization server. */
export interface SignInAnswer {
  readonly state?: string | undefined;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  readonly iss?: string | undefined;
}

/** An account that waits for its code. */
interface WaitingAccount {
  /** The key in the store. It is sealed, too, so that nobody can take an account for that of another caller. */
  readonly key: string;
  readonly code: string;
  readonly expires: number;
  readonly account: Account;
}

/** The characters of codes, without those that are mistaken for others. */
const CODE_CHARACTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const CODE_LENGTH = 8;

/**
 * The accounts that callers have linked with upstreams. A sign-in gives an account that waits: it becomes the caller's own
 * when the caller has entered, over the connection of the caller's client, the code that the browser was shown. So the
 * browser that came back is the caller's, and nobody gets the account of somebody else to whom a link was forwarded.
 */
export class LinkedAccounts implements CallerAccounts {
  readonly #links: Links;
  readonly #waiting: Seal;
  readonly #nonces: Nonces;
  readonly #publicUrl: string | undefined;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #grants = new Map<string, TokenGrants>();
  readonly #tokens: AccountTokens;
  readonly #store: AccountStore;

  /** @throws SettingError if the keys or the public URL do not protect accounts */
  constructor(options: AccountOptions) {
    const { requestStateKeys, accountStore, nonces, publicUrl, log, now = Date.now } = options;
    if (accountStore !== undefined && requestStateKeys === undefined) {
      throw new SettingError("REQUEST_STATE_KEY must be set: it encrypts the accounts of callers");
    }
    const keys = requestStateKeys ?? [randomBytes(32).toString("hex")];
    this.#nonces = nonces ?? new MemoryNonces(now);
    this.#links = new Links(keys, this.#nonces.issuer, now);
    this.#waiting = new Seal(keys, "mcp waiting account");
    this.#publicUrl = publicUrl && secureUrl(publicUrl, "auth.resource").href.replace(/\/$/, "");
    this.#log = log;
    this.#now = now;
    this.#store = accountStore ?? new MemoryAccounts(now);
    this.#tokens = new AccountTokens(this.#store, keys, {
      ...{ now, maxRefused: options.maxRefused },
      linkNeeded: (upstream, holder) => new LinkNeeded(upstream, this.linkOf(upstream, holder)),
    });
  }

  /** The authenticator of an upstream. @throws SettingError if a URL of it is wrong */
  authenticator(source: AccountSource, tokenUrl: URL, isTest: boolean): Authenticator {
    const grants = new TokenGrants(source, tokenUrl);
    this.#grants.set(source.name, grants);
    return this.#tokens.authenticator(source, grants, isTest);
  }

  /** The names of the upstreams with accounts. */
  get upstreams(): readonly string[] {
    return [...this.#grants.keys()];
  }

  /** Whether browsers reach this server over TLS. */
  get isSecure(): boolean {
    return this.#publicUrl?.startsWith("https:") === true;
  }

  /** A new link, by which a caller can link an account. @throws ToolError if no browser can reach this server */
  linkOf(upstream: string, holder: string): string {
    return `${this.#endpoint(upstream)}?state=${this.#links.make(upstream, holder)}`;
  }

  /**
   * Opens a link in a browser.
   * @returns where the browser signs in, and the cookie by which it is known when it comes back
   * @throws SignInFailed if the link is of no use
   */
  open(
    upstream: string,
    link: string | undefined,
  ): { readonly url: string; readonly cookie: string } {
    const grants = this.#grantsOf(upstream);
    const { state, challenge, cookie } = this.#useful(upstream, () =>
      this.#links.open(upstream, link),
    );
    return { url: grants.signInUrl(this.#redirectUri(upstream), state, challenge), cookie };
  }

  /**
   * Takes the answer of the authorization server. The account then waits for its code.
   * @param cookie the cookie of the browser, if it has the one
   * @returns the code, which only this browser is shown
   * @throws SignInFailed with what the person is told
   */
  async finish(upstream: string, answer: SignInAnswer, cookie?: string): Promise<string> {
    const grants = this.#grantsOf(upstream);
    const { holder, nonce, expires, verifier } = this.#useful(upstream, () =>
      this.#links.return(upstream, answer.state, cookie),
    );
    await this.#redeem(upstream, nonce, expires, holder);
    if (!grants.isIssuer(answer.iss)) throw this.#refused(upstream, "another issuer has answered");
    if (answer.code === undefined || answer.error !== undefined) {
      throw this.#refused(upstream, errorIn(answer));
    }
    const account = await grants
      .ofCode(answer.code, verifier, this.#redirectUri(upstream))
      .catch(() => "unavailable" as const);
    if (typeof account === "string") throw this.#refused(upstream, `the code was ${account}`);
    const code = newCode();
    const key = keyOf(upstream, holder);
    const waiting: WaitingAccount = { key, code, account, expires: this.#now() + WAITING_MS };
    await this.#store.offer(key, this.#waiting.seal(waiting));
    this.#log.info("an account waits for its code", { upstream });
    return code;
  }

  /** Links the account that waits for a code. @throws ToolError if accounts cannot be kept at the moment */
  async enter(upstream: string, holder: string, entered: string): Promise<CodeOutcome> {
    const key = keyOf(upstream, holder);
    const text = await this.#store.attempt(key);
    const waiting = text === undefined ? undefined : (this.#waiting.open(text) as WaitingAccount);
    if (text === undefined || waiting?.key !== key || waiting.expires < this.#now()) return "gone";
    if (!isSameCode(entered, waiting.code)) {
      this.#log.warning("a wrong code was entered for an account", { upstream });
      return "wrong";
    }
    const isAccepted = await this.#store.accept(
      key,
      text,
      this.#tokens.sealed(key, waiting.account),
    );
    if (isAccepted) this.#log.info("an account was linked", { upstream });
    return isAccepted ? "linked" : "gone";
  }

  /** Whether a caller has linked an account. @throws ToolError if nobody can tell at the moment */
  async isLinked(upstream: string, holder: string): Promise<boolean> {
    return (await this.#tokens.read(keyOf(upstream, holder))) !== undefined;
  }

  /** Forgets an account. @returns whether there was one @throws ToolError if it cannot be forgotten at the moment */
  async forget(upstream: string, holder: string): Promise<boolean> {
    const wasLinked = await this.#store.forget(keyOf(upstream, holder));
    if (wasLinked) this.#log.info("an account was forgotten", { upstream });
    return wasLinked;
  }

  async #redeem(upstream: string, nonce: string, expires: number, holder: string): Promise<void> {
    const redemption = await this.#nonces.redeem(nonce, expires, `account ${holder}`);
    if (redemption === "redeemed") return;
    if (redemption === "used") throw this.#refused(upstream, "the link was used before");
    throw this.#refused(upstream, `the link cannot be used at the moment (${redemption})`);
  }

  #grantsOf(upstream: string): TokenGrants {
    const grants = this.#grants.get(upstream);
    if (grants === undefined) throw new SignInFailed("The server is not ready yet. Try again.");
    return grants;
  }

  #useful<Value>(upstream: string, use: () => Value): Value {
    try {
      return use();
    } catch (error) {
      if (error instanceof UselessLink) throw this.#refused(upstream, error.message);
      throw error;
    }
  }

  #refused(upstream: string, reason: string): SignInFailed {
    this.#log.warning("a sign-in for an account was refused", { upstream, reason });
    return new SignInFailed(
      reason === "access_denied"
        ? "You have not allowed it, so that nothing was connected."
        : "This sign-in cannot be used, so that nothing was connected: its link has expired or was used before, another browser has opened it, or the other service has refused it. Call the tool again in your client, and open the new link there.",
    );
  }

  #redirectUri(upstream: string): string {
    return `${this.#endpoint(upstream)}/callback`;
  }

  #endpoint(upstream: string): string {
    if (this.#publicUrl === undefined) {
      throw new ToolError(`No account can be linked with the upstream ${upstream} here.`);
    }
    return `${this.#publicUrl}${linkPath(upstream)}`;
  }
}

function errorIn({ error = "" }: SignInAnswer): string {
  return /^[a-z_]{1,64}$/.test(error) ? error : "there is no code";
}

function newCode(): string {
  const characters = Array.from({ length: CODE_LENGTH }, () =>
    CODE_CHARACTERS.charAt(randomInt(CODE_CHARACTERS.length)),
  );
  const code = characters.join("");
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** Compares what a person has entered: case, spaces and hyphens make no difference. */
function isSameCode(entered: string, code: string): boolean {
  const bytes = [entered, code].map((text) =>
    Buffer.from(sha256Of(text.toUpperCase().replace(/[\s-]/g, ""))),
  );
  return timingSafeEqual(bytes[0] as Buffer, bytes[1] as Buffer);
}
