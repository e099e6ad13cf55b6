import { isIPv6 } from "node:net";

/** Most clients that are counted. Beyond that, the one with the least recent request is forgotten. */
const maxClients = 10_000;

/** Counts the requests of clients over all processes of a server. */
export interface SharedBudget {
  /**
   * Counts a request.
   * @param now The time by `performance.now`, in milliseconds.
   * @returns 0, or the seconds that the client must wait
   */
  take(client: string, now: number): number;
  /**
   * Waits until {@link take} can tell whether a client may send so many requests; undefined if it can tell now. Absent if it
   * always can.
   */
  whenDecided?(client: string, requests: number, now: number): Promise<void> | undefined;
}

interface Bucket {
  /** The client, as {@link clientOf} returns it. */
  readonly client: string;
  tokens: number;
  /** The time at which the bucket had `tokens`, in milliseconds. */
  at: number;
}

/**
 * Limits the requests of each client in a second, by a token bucket. A client that has paused may send as many
 * at once.
 */
export class HttpRateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #shared: SharedBudget | undefined;
  readonly #buckets = new Map<string, Bucket>();
  /** The latest client, which is last in the map already. The next one is usually the same. */
  #latest: { readonly address: string; readonly bucket: Bucket } | undefined;

  /** @param shared Counts the requests of all processes. */
  constructor(perSecond: number, shared?: SharedBudget) {
    this.#perSecond = perSecond;
    this.#shared = shared;
    this.#burst = Math.max(1, perSecond);
  }

  /**
   * Counts a request.
   * @param now The time of a monotonic clock, in milliseconds.
   * @returns 0, or the seconds that the client must wait
   */
  take(address: string, now = performance.now()): number {
    const bucket = this.#earn(address, now);
    if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / this.#perSecond);
    bucket.tokens -= 1;
    return this.#shared === undefined ? 0 : this.#shared.take(bucket.client, now);
  }

  /** Whether {@link take} may need {@link whenDecided} before, since others count, too. */
  get mayWait(): boolean {
    return this.#shared?.whenDecided !== undefined;
  }

  /** Waits until {@link take} can tell whether a client may send so many requests; undefined if it can tell now. */
  whenDecided(address: string, requests = 1): Promise<void> | undefined {
    return this.#shared?.whenDecided?.(clientOf(address), requests, performance.now());
  }

  /**
   * Takes requests of a client for another process.
   * @param most The most that are taken, as far as the client may send them now.
   * @returns how many were taken, and how long the client must wait for the next one, in milliseconds
   */
  takeUpTo(
    most: number,
    client: string,
    now = performance.now(),
  ): { readonly taken: number; readonly waitMs: number } {
    const bucket = this.#earn(client, now);
    const taken = Math.min(most, Math.floor(bucket.tokens));
    bucket.tokens -= taken;
    return { taken, waitMs: (Math.max(0, 1 - bucket.tokens) / this.#perSecond) * 1_000 };
  }

  /** The bucket of a client, with what it has earned until now. */
  #earn(address: string, now: number): Bucket {
    const bucket = this.#bucketOf(address, now);
    const earned = ((now - bucket.at) / 1_000) * this.#perSecond;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + earned);
    bucket.at = now;
    return bucket;
  }

  #bucketOf(address: string, now: number): Bucket {
    if (this.#latest?.address === address) return this.#latest.bucket;
    const client = clientOf(address);
    const bucket = this.#buckets.get(client) ?? { client, tokens: this.#burst, at: now };
    this.#latest = { address, bucket };
    this.#remember(client, bucket);
    return bucket;
  }

  /**
   * Makes a client the last of the map, and forgets the first one if there are too many. A map keeps the order of
   * insertion, so the first client is the one with the least recent request.
   */
  #remember(client: string, bucket: Bucket): void {
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (this.#buckets.size <= maxClients) return;
    for (const oldest of this.#buckets.keys()) return void this.#buckets.delete(oldest);
  }
}

/** The client with this address. All addresses of an IPv6 /64 network count as one client. */
export function clientOf(address: string): string {
  if (!address.includes(":")) return address;
  if (!isIPv6(address) || address.includes(".")) return address.replace("::ffff:", "");
  const [head = [], tail = []] = address
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
