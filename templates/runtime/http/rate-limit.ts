import { isIPv6 } from "node:net";

/** Most clients that are counted. Beyond that, the one whose last call is longest ago is forgotten. */
const mostClients = 10_000;

/** The rate of a client over all processes of a server. */
export interface SharedBudget {
  /**
   * Counts a request.
   * @param now The time by `performance.now`, in milliseconds.
   * @returns 0, or the seconds that the client must wait
   */
  take(client: string, now: number): number;
}

interface Bucket {
  /** Whose it is: see {@link clientOf}. */
  readonly client: string;
  tokens: number;
  /** The time for which `tokens` is right, in milliseconds. */
  at: number;
}

/**
 * Holds each client to so many requests a second. A client that has been quiet may send one
 * second's worth at once.
 */
export class HttpRateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #shared: SharedBudget | undefined;
  readonly #buckets = new Map<string, Bucket>();
  /** The last caller, which is last in the map already: the next one is usually the same. */
  #latest: { readonly address: string; readonly bucket: Bucket } | undefined;

  /** @param shared Counts the requests of all processes. */
  constructor(perSecond: number, shared?: SharedBudget) {
    this.#perSecond = perSecond;
    this.#shared = shared;
    this.#burst = Math.max(1, perSecond);
  }

  /**
   * Counts a request.
   * @param now A clock that only goes forward, in milliseconds.
   * @returns 0, or the seconds that the client must wait
   */
  take(address: string, now = performance.now()): number {
    const bucket = this.#bucketOf(address, now);
    const earned = ((now - bucket.at) / 1_000) * this.#perSecond;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + earned);
    bucket.at = now;
    if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / this.#perSecond);
    bucket.tokens -= 1;
    return this.#shared === undefined ? 0 : this.#shared.take(bucket.client, now);
  }

  #bucketOf(address: string, now: number): Bucket {
    if (this.#latest?.address === address) return this.#latest.bucket;
    const client = clientOf(address);
    const bucket = this.#buckets.get(client) ?? { client, tokens: this.#burst, at: now };
    this.#latest = { address, bucket };
    this.#remember(client, bucket);
    return bucket;
  }

  /** A map keeps the order of insertion: the first caller is the one whose last call is longest ago. */
  #remember(client: string, bucket: Bucket): void {
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (this.#buckets.size <= mostClients) return;
    for (const oldest of this.#buckets.keys()) return void this.#buckets.delete(oldest);
  }
}

/** An IPv6 subscriber has a whole /64, whose addresses would otherwise count as many clients. */
export function clientOf(address: string): string {
  if (!address.includes(":")) return address;
  if (!isIPv6(address) || address.includes(".")) return address.replace("::ffff:", "");
  const [head = [], tail = []] = address
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
