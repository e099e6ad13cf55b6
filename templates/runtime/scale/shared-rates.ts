import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { describeError } from "../engine/describe-error.js";
import type { SharedBudget } from "../http/rate-limit.js";
import type { Sharing } from "./definition.js";
import type { RedisConnection, SharedPart } from "./redis-connection.js";

/** Most refused clients that are remembered. If there are more, the oldest entry is dropped. */
const maxRefusedClients = 10_000;

/** Gives each client one request budget for all replicas together. */
export function shareRates(redis: RedisConnection, { limits }: Sharing): SharedBudget {
  const rates = new SharedRates(redis, limits.ratePerSecond);
  redis.add(rates);
  return rates;
}

/**
 * Counts the requests of all replicas in Redis. No request waits for Redis: it is accepted unless Redis has
 * said that the budget of the client is used up, and is counted in the background. Requests that arrive
 * during one count are counted together in the next. Until Redis answers, each replica may therefore accept
 * as many requests as its own limit for a client allows.
 */
class SharedRates implements SharedBudget, SharedPart {
  readonly #redis: RedisConnection;
  readonly #perSecond: number;
  /** Requests that Redis has not counted yet, by client. A client has an entry while a count of it runs. */
  readonly #uncounted = new Map<string, number>();
  /** When the refusal of a client ends, by the clock of `performance.now`. */
  readonly #refusedUntil = new Map<string, number>();
  #limiter: RateLimiterRedis | undefined;
  #limiterClient: RedisConnection["commands"];

  constructor(redis: RedisConnection, perSecond: number) {
    this.#redis = redis;
    this.#perSecond = perSecond;
  }

  take(client: string, now: number): number {
    const until = this.#refusedUntil.get(client) ?? now;
    if (until > now) return Math.ceil((until - now) / 1_000);
    const limiter = this.#currentLimiter();
    if (limiter === undefined) return 0;
    const uncounted = this.#uncounted.get(client);
    this.#uncounted.set(client, (uncounted ?? 0) + 1);
    if (uncounted === undefined) void this.#countAll(client, limiter);
    return 0;
  }

  /** After a failed count, tries an empty one. Otherwise, the problem would stay reported until the next request. */
  async refresh(): Promise<void> {
    const limiter = this.#currentLimiter();
    if (limiter !== undefined && this.#redis.hasProblem("rates")) await this.#count("", limiter, 0);
  }

  /** The limiter for the current connection; undefined while there is none. */
  #currentLimiter(): RateLimiterRedis | undefined {
    const { commands } = this.#redis;
    if (commands === undefined) return undefined;
    if (this.#limiterClient === commands) return this.#limiter;
    this.#limiterClient = commands;
    this.#limiter = new RateLimiterRedis({
      storeClient: commands,
      useRedisPackage: true,
      keyPrefix: `${this.#redis.prefix}rate`,
      points: Math.max(1, Math.floor(this.#perSecond)),
      duration: Math.max(1, Math.ceil(1 / this.#perSecond)),
    });
    return this.#limiter;
  }

  /** Counts the uncounted requests of a client until there are none left. */
  async #countAll(client: string, limiter: RateLimiterRedis): Promise<void> {
    try {
      for (;;) {
        const points = this.#uncounted.get(client) ?? 0;
        if (points === 0) return;
        this.#uncounted.set(client, 0);
        await this.#count(client, limiter, points);
      }
    } catch {
      // `#count` has reported it.
    } finally {
      this.#uncounted.delete(client);
    }
  }

  async #count(client: string, limiter: RateLimiterRedis, points: number): Promise<void> {
    try {
      await limiter.consume(client, points);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) {
        this.#redis.report("rates", describeError(reason));
        throw reason;
      }
      this.#refuse(client, reason.msBeforeNext);
    }
    this.#redis.report("rates", undefined);
  }

  #refuse(client: string, ms: number): void {
    this.#refusedUntil.delete(client);
    this.#refusedUntil.set(client, performance.now() + ms);
    if (this.#refusedUntil.size <= maxRefusedClients) return;
    for (const oldest of this.#refusedUntil.keys()) return void this.#refusedUntil.delete(oldest);
  }
}
