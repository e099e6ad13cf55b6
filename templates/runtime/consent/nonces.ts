import { randomBytes } from "node:crypto";

/** Numbers that are used once. Whoever redeems one a second time is refused. */
export interface Nonces {
  /** Names those who know what was redeemed. A nonce that others have issued is of no use. */
  readonly issuer: string;
  /**
   * Redeems a nonce. Returns false if it was redeemed before, or nobody can tell.
   * @param expires When the nonce becomes invalid by itself, in milliseconds since 1970.
   */
  redeem(nonce: string, expires: number): boolean | Promise<boolean>;
}

/** Most redeemed nonces that are remembered. Beyond that, none is redeemed until the oldest ones have expired. */
const maxRedeemed = 100_000;

/** How often expired nonces are forgotten, in milliseconds. */
const sweepMs = 60_000;

/**
 * Remembers in this process which nonces were redeemed. Its nonces are of no use to another process, also not to the next
 * one of the same server.
 */
export class MemoryNonces implements Nonces {
  readonly issuer = randomBytes(9).toString("base64url");
  readonly #redeemed = new Map<string, number>();
  readonly #now: () => number;
  #sweptAt = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  redeem(nonce: string, expires: number): boolean {
    this.#sweep();
    if (this.#redeemed.has(nonce) || this.#redeemed.size >= maxRedeemed) return false;
    this.#redeemed.set(nonce, expires);
    return true;
  }

  #sweep(): void {
    const now = this.#now();
    if (now - this.#sweptAt < sweepMs) return;
    this.#sweptAt = now;
    for (const [nonce, expires] of this.#redeemed) {
      if (expires < now) this.#redeemed.delete(nonce);
    }
  }
}
