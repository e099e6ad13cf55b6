import { setTimeout as delay } from "node:timers/promises";
import type { Authentication } from "../authentication/authentication.js";
import { Masking } from "../backends/masking.js";
import { orStopped } from "../backends/stop-signal.js";
import { actingFor } from "../context/acting.js";
import type { ToolError } from "../engine/errors.js";
import { keepLatest } from "../engine/keep-latest.js";
import { Seal } from "../sealing/seal.js";
import type { AccountSource, Authenticator, Credentials } from "../upstreams/credentials.js";
import { noToken } from "../upstreams/token-request.js";
import { holderOfCaller, keyOf } from "./holders.js";
import { MAX_ACCOUNTS, type AccountStore } from "./store.js";
import type { Account, TokenGrants } from "./token-grants.js";

/** How long a process waits before it looks again whether another one has refreshed an account, in milliseconds. */
const POLL_MS = 100;

/** An account as it was read from the store. */
interface KeptAccount {
  readonly account: Account;
  /** Its text in the store. */
  readonly text: string;
}

/** An account as it is sealed: with its key, so that a store cannot give one caller the account of another. */
interface SealedAccount extends Account {
  readonly key: string;
}

interface TokenOptions {
  readonly now: () => number;
  /** Makes the error for a caller without an account. */
  readonly linkNeeded: (upstream: string, holder: string) => ToolError;
  /** The most refused accounts that are remembered. */
  readonly maxRefused?: number | undefined;
}

/** Where the credentials of a request have come from. */
interface Origin {
  readonly key: string;
  readonly text: string;
}

/** Makes credentials of linked accounts, and refreshes each once at a time. */
export class AccountTokens {
  readonly #store: AccountStore;
  readonly #seal: Seal;
  readonly #options: TokenOptions;
  readonly #refreshes = new Map<string, Promise<KeptAccount>>();
  readonly #origins = new WeakMap<Credentials, Origin>();
  /**
   * The texts of accounts whose access tokens an upstream has refused, by their keys. Their callers may never return, so that the
   * oldest are dropped: such an account is refused, and refreshed, once more.
   */
  readonly #refused = new Map<string, string>();

  constructor(store: AccountStore, keys: readonly string[], options: TokenOptions) {
    this.#store = store;
    this.#seal = new Seal(keys, "mcp linked account");
    this.#options = options;
  }

  /** The text of an account for the store. */
  sealed(key: string, account: Account): string {
    const sealed: SealedAccount = { ...account, key };
    return this.#seal.seal(sealed);
  }

  /** The account of a key; undefined if there is none, or none that this server can read. */
  async read(key: string): Promise<KeptAccount | undefined> {
    const text = await this.#store.get(key);
    const account = text === undefined ? undefined : (this.#seal.open(text) as SealedAccount);
    return text !== undefined && account?.key === key ? { account, text } : undefined;
  }

  /** @param isTest whether each caller gets an account without a sign-in, for the generated tests */
  authenticator(source: AccountSource, grants: TokenGrants, isTest: boolean): Authenticator {
    const { name } = source;
    return {
      credentials: async (signal, caller) => {
        const holder = holderOfCaller(name, caller);
        const key = keyOf(name, holder);
        const kept = isTest ? await this.#tested(key, grants) : await this.read(key);
        if (kept === undefined) throw this.#options.linkNeeded(name, holder);
        const isUsable = kept.text !== this.#refused.get(key) && this.#isCurrent(kept);
        const usable = isUsable
          ? kept
          : await orStopped(this.#refreshed(source, grants, key, holder), signal);
        return this.#credentials(source, key, usable, caller);
      },
      refused: (credentials) => {
        const origin = this.#origins.get(credentials);
        if (origin !== undefined) {
          const { maxRefused = MAX_ACCOUNTS } = this.#options;
          keepLatest(this.#refused, origin.key, origin.text, maxRefused);
        }
        return origin !== undefined;
      },
    };
  }

  #isCurrent({ account: { usedUntil = Infinity } }: KeptAccount): boolean {
    return this.#options.now() < usedUntil;
  }

  #credentials(
    source: AccountSource,
    key: string,
    { account, text }: KeptAccount,
    caller: Authentication | undefined,
  ): Credentials {
    const masking = new Masking(source.masking);
    masking.add(account.accessToken);
    const headers = { authorization: `Bearer ${account.accessToken}` };
    const acting = actingFor(source.settings.text(source.auth.clientId), caller);
    const credentials = { headers, masking, acting };
    this.#origins.set(credentials, { key, text });
    return credentials;
  }

  /** All calls of a caller wait for one refresh, which goes on if one of them is cancelled. */
  #refreshed(
    source: AccountSource,
    grants: TokenGrants,
    key: string,
    holder: string,
  ): Promise<KeptAccount> {
    let refresh = this.#refreshes.get(key);
    if (refresh === undefined) {
      refresh = this.#refreshAlone(source, grants, key, holder).finally(() => {
        this.#refreshes.delete(key);
      });
      this.#refreshes.set(key, refresh);
    }
    return refresh;
  }

  /** Refreshes an account, or waits until another process has done so. */
  async #refreshAlone(
    source: AccountSource,
    grants: TokenGrants,
    key: string,
    holder: string,
  ): Promise<KeptAccount> {
    const refused = this.#refused.get(key);
    this.#refused.delete(key);
    for (let waited = 0; waited < 2 * source.timeoutMs; waited += POLL_MS) {
      const unlock = await this.#store.lock(key);
      if (unlock === undefined) {
        await delay(POLL_MS);
        continue;
      }
      try {
        const kept = await this.read(key);
        if (kept === undefined) throw this.#options.linkNeeded(source.name, holder);
        if (kept.text !== refused && this.#isCurrent(kept)) return kept;
        return await this.#refresh(kept, grants, key, holder);
      } finally {
        await unlock();
      }
    }
    throw noToken(source.name, 0);
  }

  async #refresh(
    { account: { refreshToken }, text }: KeptAccount,
    grants: TokenGrants,
    key: string,
    holder: string,
  ): Promise<KeptAccount> {
    const account = refreshToken === undefined ? "refused" : await grants.refreshed(refreshToken);
    if (account === "unavailable") throw noToken(grants.name, 0);
    const next = account === "refused" ? undefined : this.sealed(key, account);
    const isReplaced = await this.#store.replace(key, text, next);
    if (account !== "refused" && next !== undefined && isReplaced) return { account, text: next };
    // What was forgotten or linked anew meanwhile stays as it is.
    const current = isReplaced ? undefined : await this.read(key);
    if (current !== undefined && this.#isCurrent(current)) return current;
    throw this.#options.linkNeeded(grants.name, holder);
  }

  /** Links the account of a test by a code, as a browser would. */
  async #tested(key: string, grants: TokenGrants): Promise<KeptAccount | undefined> {
    const kept = await this.read(key);
    if (kept !== undefined) return kept;
    const account = await grants.ofCode("test", "test", "http://localhost/");
    if (typeof account === "string") throw noToken(grants.name, 0);
    const text = this.sealed(key, account);
    await this.#store.offer(key, text);
    await this.#store.accept(key, text, text);
    return { account, text };
  }
}
