import type { Awaitable } from "../engine/awaitable.js";
import { keepLatest } from "../engine/keep-latest.js";

/**
 * Keeps the accounts that callers have linked, by keys that name an upstream and a caller. All texts are encrypted: a store
 * can read none of them. What cannot be kept or read at the moment throws a `ToolError`.
 */
export interface AccountStore {
  /** The account of a key; undefined if there is none. */
  get(key: string): Awaitable<string | undefined>;
  /**
   * Replaces an account if it is still the one that was read.
   * @param next undefined if the account is forgotten
   * @returns whether it was replaced
   */
  replace(key: string, read: string, next: string | undefined): Awaitable<boolean>;
  /** Forgets an account, and what waits for its code. @returns whether there was an account */
  forget(key: string): Awaitable<boolean>;
  /** Keeps an account that waits for its code, instead of the one that waited before. It counts as none. */
  offer(key: string, waiting: string): Awaitable<void>;
  /** Counts an attempt to enter a code. @returns what waits for it; undefined if nothing does, or there were too many attempts */
  attempt(key: string): Awaitable<string | undefined>;
  /** Makes what waits the account of a key, if that is still what waits. @returns whether it was; then nothing waits any more */
  accept(key: string, waiting: string, account: string): Awaitable<boolean>;
  /**
   * Takes the right to refresh an account, for as long as a refresh may take.
   * @returns what gives it back; undefined if another process has it
   */
  lock(key: string): Awaitable<(() => Awaitable<void>) | undefined>;
}

/** How long an account waits for its code, in milliseconds. */
export const WAITING_MS = 5 * 60_000;

/** The most attempts to enter the code of an account. */
export const MAX_ATTEMPTS = 5;

/** After how long an account is forgotten that was neither linked nor refreshed since, in milliseconds. */
export const UNUSED_MS = 90 * 24 * 3_600_000;

/** The most accounts that the memory of a process keeps; as many may wait for their codes. */
export const MAX_ACCOUNTS = 10_000;

interface Waiting {
  readonly text: string;
  readonly expires: number;
  attempts: number;
}

/** Keeps accounts in the memory of this process. The one that was used least recently is dropped where there are too many. */
export class MemoryAccounts implements AccountStore {
  /** The last one was used last. */
  readonly #accounts = new Map<string, string>();
  /** The first one waits longest. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #now: () => number;
  readonly #most: number;

  constructor(now: () => number = Date.now, most = MAX_ACCOUNTS) {
    this.#now = now;
    this.#most = most;
  }

  get(key: string): string | undefined {
    const account = this.#accounts.get(key);
    if (account !== undefined) this.#set(key, account);
    return account;
  }

  replace(key: string, read: string, next: string | undefined): boolean {
    if (this.#accounts.get(key) !== read) return false;
    if (next === undefined) this.#accounts.delete(key);
    else this.#set(key, next);
    return true;
  }

  forget(key: string): boolean {
    this.#waiting.delete(key);
    return this.#accounts.delete(key);
  }

  offer(key: string, text: string): void {
    const now = this.#now();
    for (const [other, { expires }] of this.#waiting) {
      if (expires >= now && this.#waiting.size < this.#most) break;
      this.#waiting.delete(other);
    }
    this.#waiting.delete(key);
    this.#waiting.set(key, { text, expires: now + WAITING_MS, attempts: 0 });
  }

  attempt(key: string): string | undefined {
    const waiting = this.#waitingAt(key);
    if (waiting === undefined) return undefined;
    waiting.attempts++;
    if (waiting.attempts <= MAX_ATTEMPTS) return waiting.text;
    this.#waiting.delete(key);
    return undefined;
  }

  accept(key: string, text: string, account: string): boolean {
    if (this.#waitingAt(key)?.text !== text) return false;
    this.#waiting.delete(key);
    this.#set(key, account);
    return true;
  }

  /** The refreshes of one process wait for each other anyway. */
  lock(): () => void {
    return () => undefined;
  }

  #waitingAt(key: string): Waiting | undefined {
    const waiting = this.#waiting.get(key);
    return waiting !== undefined && waiting.expires >= this.#now() ? waiting : undefined;
  }

  #set(key: string, account: string): void {
    keepLatest(this.#accounts, key, account, this.#most);
  }
}
