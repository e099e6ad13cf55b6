import { randomBytes } from "node:crypto";

/** Numbers that are used once. Whoever redeems one a second time is refused. */
export interface Nonces {
  /** Names those who know what was redeemed. A nonce that others have issued is of no use. */
  readonly issuer: string;
  /**
   * Redeems a nonce. Returns false if it was redeemed before, or nobody can tell.
   * @param expires When the nonce becomes invalid by itself, in milliseconds since 1970.
   * @param holder Who redeems it: the caller's principal, or else the address. Nobody takes the room of others.
   */
  redeem(nonce: string, expires: number, holder: string): boolean | Promise<boolean>;
}

/**
 * Most redeemed nonces that are remembered, of all and of one holder. Beyond that, none is redeemed until the oldest ones have
 * expired.
 */
const maxRedeemed = { ofAll: 100_000, ofHolder: 1_000 };

interface Redeemed {
  readonly expires: number;
  readonly holder: string;
}

/** How often expired nonces are forgotten, in milliseconds. */
const sweepMs = 60_000;

/**
 * Remembers in this process which nonces were redeemed. Its nonces are of no use to another process, also not to the next
 * one of the same server.
 */
export class MemoryNonces implements Nonces {
  readonly issuer = randomBytes(9).toString("base64url");
  readonly #redeemed = new Map<string, Redeemed>();
  /** How many of them each holder has. */
  readonly #counts = new Map<string, number>();
  readonly #now: () => number;
  #sweptAt = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  redeem(nonce: string, expires: number, holder: string): boolean {
    this.#sweep();
    const count = this.#counts.get(holder) ?? 0;
    const isFull = count >= maxRedeemed.ofHolder || this.#redeemed.size >= maxRedeemed.ofAll;
    if (isFull || this.#redeemed.has(nonce)) return false;
    this.#redeemed.set(nonce, { expires, holder });
    this.#counts.set(holder, count + 1);
    return true;
  }

  #sweep(): void {
    const now = this.#now();
    if (now - this.#sweptAt < sweepMs) return;
    this.#sweptAt = now;
    for (const [nonce, { expires, holder }] of this.#redeemed) {
      if (expires < now) this.#forget(nonce, holder);
    }
  }

  #forget(nonce: string, holder: string): void {
    this.#redeemed.delete(nonce);
    const left = (this.#counts.get(holder) ?? 0) - 1;
    if (left > 0) this.#counts.set(holder, left);
    else this.#counts.delete(holder);
  }
}
