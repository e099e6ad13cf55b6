import { randomBytes } from "node:crypto";
import type { Caller } from "../context/context.js";
import { clientOf } from "../http/rate-limit.js";

/**
 * What became of a nonce: it was `redeemed` now; it was `used` before; its holder, or all together, have no room for another
 * one (`full`), so that it is still of use later; or nobody can tell (`unknown`).
 */
export type Redemption = "redeemed" | "used" | "full" | "unknown";

/** Numbers that are used once. Whoever redeems one a second time is refused. */
export interface Nonces {
  /** Names those who know what was redeemed. A nonce that others have issued is of no use. */
  readonly issuer: string;
  /**
   * Redeems a nonce. It may be used only if it is `redeemed`.
   * @param expires When the nonce becomes invalid by itself, in milliseconds since 1970.
   * @param holder Who redeems it, as {@link holderOf} names it. Nobody takes the room of others.
   */
  redeem(nonce: string, expires: number, holder: string): Redemption | Promise<Redemption>;
}

/**
 * Most redeemed nonces that are remembered, of all and of one holder. Beyond that, none is redeemed until the oldest ones have
 * expired.
 */
export const maxRedeemed = { ofAll: 100_000, ofHolder: 1_000 };

/** The name of a caller whose nonces are counted: its principal, or else its address. The two never have the same name. */
export function holderOf({ authentication, address = "" }: Caller): string {
  return authentication === undefined
    ? `address ${clientOf(address)}`
    : `principal ${authentication.principal}`;
}

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

  redeem(nonce: string, expires: number, holder: string): Redemption {
    this.#sweep();
    if (this.#redeemed.has(nonce)) return "used";
    const count = this.#counts.get(holder) ?? 0;
    if (count >= maxRedeemed.ofHolder || this.#redeemed.size >= maxRedeemed.ofAll) return "full";
    this.#redeemed.set(nonce, { expires, holder });
    this.#counts.set(holder, count + 1);
    return "redeemed";
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
