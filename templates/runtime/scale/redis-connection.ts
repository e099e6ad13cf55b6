import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, type RedisClientType } from "@redis/client";
import type { Logger } from "../observe/log.js";
import { describeError } from "../engine/describe-error.js";

/** How long Redis may take to answer before it counts as away, in milliseconds. */
const answerMs = 2_000;

/** How long all parts may take to be brought up to date, for which they ask several times. */
const refreshMs = 5 * answerMs;

/** How often Redis is asked whether it is there, and the parts are brought up to date, in milliseconds. */
const pingMs = 1_000;

/** Longest pause between two attempts to connect, in milliseconds. */
const longestPauseMs = 1_000;

/** Two connections to Redis: one sends commands, the other hears of messages. */
interface Clients {
  readonly commands: RedisClientType;
  readonly subscriber: RedisClientType;
  /** Aborts when either is lost, or both are given up. */
  readonly lost: AbortController;
}

/** A part of the server that is shared through Redis. */
export interface SharedPart {
  /**
   * Brings the part up to date, and tries again what has failed: each time that the connection was made,
   * and every second. @throws what it reports
   */
  refresh(): Promise<void>;
  /** Notes that messages of other replicas may have been missed. */
  missed?(): void;
  /** Gets a message of another replica, as it was sent. */
  received?(message: unknown): void;
}

/**
 * The connection of a replica to Redis. One that is lost, or does not answer in time, is given up and made
 * anew until that succeeds. Meanwhile {@link commands} is undefined.
 */
export class RedisConnection {
  readonly prefix: string;
  readonly #url: string;
  readonly #channel: string;
  readonly #log: Logger;
  /** Tells the messages of this replica from those of others. */
  readonly #replica = randomUUID();
  readonly #parts: SharedPart[] = [];
  readonly #problems = new Map<string, string>();
  readonly #closing = new AbortController();
  #clients: Clients | undefined;
  #running: Promise<void> | undefined;

  /** @param prefix begins the names of all keys and channels of the server */
  constructor(url: string, prefix: string, log: Logger) {
    this.#url = url;
    this.prefix = prefix;
    // Databases of one Redis have their own keys, but the channels are those of all.
    this.#channel = `${prefix}changes:${Number(new URL(url).pathname.slice(1))}`;
    this.#log = log;
  }

  /** Sends commands; undefined while Redis is away. */
  get commands(): RedisClientType | undefined {
    return this.#clients?.commands;
  }

  /** Why not everything is shared at the moment; undefined where it is. */
  get problem(): string | undefined {
    const [problem] = this.#problems.values();
    return problem;
  }

  hasProblem(part: string): boolean {
    return this.#problems.has(part);
  }

  /** Adds a part. Only before {@link open}. */
  add(part: SharedPart): void {
    this.#parts.push(part);
  }

  /** Connects, and stays connected until {@link close}. @throws Error where Redis cannot be used */
  async open(): Promise<void> {
    await this.#connect();
    try {
      await inTime(this.#refresh(), refreshMs);
    } catch (error) {
      this.#disconnect();
      throw error;
    }
    this.#running = this.#stayConnected();
  }

  /** Sends a message to the other replicas. @throws Error where Redis does not take it */
  async publish(message: object): Promise<void> {
    if (this.commands === undefined) throw new Error("Redis is away");
    const text = JSON.stringify({ from: this.#replica, message });
    await this.commands.publish(this.#channel, text);
  }

  /**
   * Takes note of whether a part can be shared. The log says so when that changes.
   * @param problem why it cannot; undefined where it can
   */
  report(part: string, problem: string | undefined): void {
    // Whatever fails because the connection is lost is no other problem.
    if (part !== "redis" && problem !== undefined && !this.commands?.isReady) return;
    const known = this.#problems.get(part);
    if (problem === undefined) this.#problems.delete(part);
    else this.#problems.set(part, problem);
    if (known === undefined && problem !== undefined) {
      this.#log.warning("not shared with other replicas for now", { part, problem });
    }
    if (known !== undefined && problem === undefined) {
      this.#log.info("shared with other replicas again", { part });
    }
  }

  /** Gives the connection up for good. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#disconnect();
    await this.#running;
  }

  async #connect(): Promise<void> {
    const clients = this.#createClients();
    try {
      await inTime(
        Promise.all([clients.commands, clients.subscriber].map((client) => client.connect())),
      );
      await inTime(clients.subscriber.subscribe(this.#channel, (text) => this.#receive(text)));
      this.#clients = clients;
    } catch (error) {
      destroy(clients);
      throw error;
    }
  }

  async #refresh(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.refresh()));
  }

  #createClients(): Clients {
    const commands: RedisClientType = createClient({
      url: this.#url,
      disableOfflineQueue: true,
      socket: { connectTimeout: answerMs, reconnectStrategy: false },
    });
    const subscriber = commands.duplicate();
    const lost = new AbortController();
    for (const client of [commands, subscriber]) {
      client.on("error", () => lost.abort());
      client.on("end", () => lost.abort());
    }
    return { commands, subscriber, lost };
  }

  #disconnect(): void {
    const clients = this.#clients;
    this.#clients = undefined;
    if (clients !== undefined) destroy(clients);
  }

  async #stayConnected(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const reason = await this.#untilLost();
      if (this.#closing.signal.aborted) return;
      this.#disconnect();
      this.report("redis", reason);
      await this.#reconnect();
    }
  }

  /** @returns why the connection can no longer be used */
  async #untilLost(): Promise<string> {
    const clients = this.#clients;
    if (clients === undefined) return "Redis is away";
    const { signal: lost } = clients.lost;
    while (!lost.aborted) {
      await pause(pingMs, lost);
      if (lost.aborted) break;
      const pings = [clients.commands, clients.subscriber].map((client) => client.ping());
      const answered = inTime(Promise.all(pings)).then(
        () => true,
        () => false,
      );
      if (!(await answered)) return "Redis does not answer";
      // Pings go on meanwhile. The parts report what fails.
      this.#refresh().catch(() => undefined);
    }
    return "the connection to Redis was lost";
  }

  async #reconnect(): Promise<void> {
    for (let pauseMs = 50; !this.#closing.signal.aborted; pauseMs *= 2) {
      // Replicas that were cut off together do not come back at the same moment.
      const ms = Math.min(pauseMs, longestPauseMs) * (0.5 + Math.random());
      await pause(ms, this.#closing.signal);
      if (this.#closing.signal.aborted) return;
      try {
        await this.#connect();
        if (this.#closing.signal.aborted) return this.#disconnect();
        for (const part of this.#parts) part.missed?.();
        await inTime(this.#refresh(), refreshMs).catch(() => undefined);
        return this.report("redis", undefined);
      } catch (error) {
        this.#log.debug("Redis is still away", { error: describeError(error) });
      }
    }
  }

  /** Redis is shared with other versions of this server: what cannot be read is passed over. */
  #receive(text: string): void {
    try {
      const { from, message } = JSON.parse(text) as { from?: unknown; message?: unknown };
      if (from === this.#replica) return;
      for (const part of this.#parts) part.received?.(message);
    } catch (error) {
      this.#log.debug("a message of another replica cannot be read", {
        error: describeError(error),
      });
    }
  }
}

function destroy({ commands, subscriber, lost }: Clients): void {
  lost.abort();
  for (const client of [commands, subscriber]) if (client.isOpen) client.destroy();
}

/**
 * Waits, but not beyond the end of something. A race with a promise of that end would keep a few hundred bytes of
 * each wait until then.
 */
export async function pause(ms: number, end: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: end }).catch(() => undefined);
}

/** @throws Error where the work takes longer than Redis may take to answer */
async function inTime<Value>(work: Promise<Value>, ms = answerMs): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("Redis does not answer")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
