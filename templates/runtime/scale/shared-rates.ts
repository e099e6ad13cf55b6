import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { describeError } from "../engine/describe-error.js";
import type { SharedBudget } from "../http/rate-limit.js";
import { networkLimits } from "../http/network-limits.js";
import type { Sharing } from "./definition.js";
import type { RedisConnection, SharedPart } from "./redis-connection.js";

/** Clients that are remembered as refused; beyond them the first is forgotten. */
const mostRefused = 10_000;

/** Makes one budget of requests for each client over all replicas. */
export function shareRates(redis: RedisConnection, { definition }: Sharing): SharedBudget {
  const { ratePerSecond } = { ...networkLimits, ...definition.limits };
  const rates = new SharedRates(redis, ratePerSecond);
  redis.add(rates);
  return rates;
}

/**
 * Counts the requests of all replicas in Redis. No request waits for that: one is let through while Redis has
 * not said that the budget is used up, and is counted there in the background. Requests that come
 * while one count is under way are counted together by the next. So the replicas may let through
 * more than the budget for as long as Redis takes to answer, each at most what it allows a client by itself.
 */
class SharedRates implements SharedBudget, SharedPart {
  readonly #redis: RedisConnection;
  readonly #perSecond: number;
  /** Requests that Redis has not counted yet, by client; those with an entry have a count under way. */
  readonly #uncounted = new Map<string, number>();
  /** Until when a client is refused, by the clock of `performance.now`. */
  readonly #refusedUntil = new Map<string, number>();
  #limiter: RateLimiterRedis | undefined;
  #limited: RedisConnection["commands"];

  constructor(redis: RedisConnection, perSecond: number) {
    this.#redis = redis;
    this.#perSecond = perSecond;
  }

  take(client: string, now: number): number {
    const until = this.#refusedUntil.get(client) ?? now;
    if (until > now) return Math.ceil((until - now) / 1_000);
    const limiter = this.#current();
    if (limiter === undefined) return 0;
    const uncounted = this.#uncounted.get(client);
    this.#uncounted.set(client, (uncounted ?? 0) + 1);
    if (uncounted === undefined) void this.#countAll(client, limiter);
    return 0;
  }

  /** Tries whether Redis counts again, also where balancers send no request that would show it. */
  async refresh(): Promise<void> {
    const limiter = this.#current();
    if (limiter !== undefined && this.#redis.hasProblem("rates")) await this.#count("", limiter, 0);
  }

  /** What counts in Redis; undefined while that is away. */
  #current(): RateLimiterRedis | undefined {
    const { commands } = this.#redis;
    if (commands === undefined) return undefined;
    if (this.#limited === commands) return this.#limiter;
    this.#limited = commands;
    this.#limiter = new RateLimiterRedis({
      storeClient: commands,
      useRedisPackage: true,
      keyPrefix: `${this.#redis.prefix}rate`,
      points: Math.max(1, Math.floor(this.#perSecond)),
      duration: Math.max(1, Math.ceil(1 / this.#perSecond)),
    });
    return this.#limiter;
  }

  /** Counts what has not been counted of a client, until there is nothing left. */
  async #countAll(client: string, limiter: RateLimiterRedis): Promise<void> {
    try {
      for (;;) {
        const points = this.#uncounted.get(client) ?? 0;
        if (points === 0) return;
        this.#uncounted.set(client, 0);
        await this.#count(client, limiter, points);
      }
    } catch {
      // It was reported.
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
    if (this.#refusedUntil.size <= mostRefused) return;
    for (const first of this.#refusedUntil.keys()) return void this.#refusedUntil.delete(first);
  }
}
