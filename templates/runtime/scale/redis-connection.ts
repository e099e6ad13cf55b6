import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, type RedisClientType } from "@redis/client";
import type { Logger } from "../observe/log.js";
import { describeError } from "../engine/describe-error.js";
import { EventQueue } from "../engine/event-queue.js";
import { countDrops } from "../observe/drop-counts.js";

/** How long Redis may take to answer before the connection counts as lost, in milliseconds. */
const answerTimeoutMs = 2_000;

/** How long the refresh of all parts may take, in milliseconds. A refresh sends several commands. */
const refreshTimeoutMs = 5 * answerTimeoutMs;

/** How often Redis is pinged and the parts are refreshed, in milliseconds. */
const pingIntervalMs = 1_000;

/** Longest pause between two attempts to connect, in milliseconds. */
const longestPauseMs = 1_000;

/** The maximum length of a message of another replica, in characters. */
const maxMessageLength = 65_536;

/** The two connections to Redis: one sends commands, the other receives the messages of the channel. */
interface RedisClients {
  readonly commands: RedisClientType;
  readonly subscriber: RedisClientType;
  /** Aborts when either connection is lost, or both are closed. */
  readonly lost: AbortController;
}

/** The commands of Redis that shared parts send. The types of the client's package do not show in declarations. */
export interface RedisCommands {
  /** Whether Redis can be sent commands at the moment. */
  readonly isReady: boolean;
  publish(channel: string, message: string): Promise<unknown>;
  hSet(key: string, fields: Readonly<Record<string, string>>): Promise<unknown>;
  hSetNX(key: string, field: string, value: string): Promise<unknown>;
  set(key: string, value: string, options: { readonly PX: number }): Promise<string | null>;
  get(key: string): Promise<string | null>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  hGetAll(key: string): Promise<Readonly<Record<string, string>>>;
}

/** A part of the server that is shared through Redis. */
export interface SharedPart {
  /**
   * Synchronizes the part with Redis and retries what has failed. Runs after each connect and then every second.
   * @throws the error that it reports
   */
  refresh(): Promise<void>;
  /** Runs after a reconnect or a flood: messages of other replicas may have been missed. A refresh follows. */
  missed?(): void;
  /** Adds what a message of another replica asks for to the queue. The message has not been validated. */
  received?(message: unknown, queue: EventQueue): void;
}

/**
 * The connection of a replica to Redis. It reconnects when it is lost or Redis does not answer in time.
 * Until that succeeds, {@link commands} is undefined.
 */
export class RedisConnection {
  readonly prefix: string;
  readonly #url: string;
  readonly #channel: string;
  readonly #log: Logger;
  /** Marks the messages of this replica, which it ignores when it receives them. */
  readonly #replicaId = randomUUID();
  /** The start of the messages of this replica. */
  readonly #ownStart = `{"from":${JSON.stringify(this.#replicaId)}`;
  readonly #parts: SharedPart[] = [];
  readonly #received = new EventQueue((dropped) => this.#drop(dropped));
  readonly #countDrops = countDrops((dropped) =>
    this.#log.warning("messages of other replicas were dropped, as too many came", { dropped }),
  );
  readonly #countUnreadable = countDrops((dropped) =>
    this.#log.debug("messages of other replicas cannot be read", { dropped }),
  );
  readonly #problemsByPart = new Map<string, string>();
  readonly #closing = new AbortController();
  #clients: RedisClients | undefined;
  #running: Promise<void> | undefined;

  /** @param prefix the start of the names of all keys and channels of the server */
  constructor(url: string, prefix: string, log: Logger) {
    this.#url = url;
    this.prefix = prefix;
    // The databases of one Redis have separate keys but common channels, so the channel names the database.
    this.#channel = `${prefix}changes:${Number(new URL(url).pathname.slice(1))}`;
    this.#log = log;
  }

  /** The client that sends commands; undefined while there is no connection. */
  get commands(): RedisCommands | undefined {
    return this.#clients?.commands;
  }

  /** Why something is not shared at the moment; undefined when everything is shared. */
  get problem(): string | undefined {
    const [problem] = this.#problemsByPart.values();
    return problem;
  }

  hasProblem(part: string): boolean {
    return this.#problemsByPart.has(part);
  }

  /** Adds a part. Must be called before {@link open}. */
  add(part: SharedPart): void {
    this.#parts.push(part);
  }

  /** Connects, and reconnects when needed until {@link close}. @throws Error if Redis cannot be used */
  async open(): Promise<void> {
    await this.#connect();
    try {
      await withTimeout(this.#refresh(), refreshTimeoutMs);
    } catch (error) {
      this.#disconnect();
      throw error;
    }
    this.#running = this.#stayConnected();
  }

  /** Sends a message to the other replicas. @throws Error if Redis does not accept it */
  async publish(message: object): Promise<void> {
    if (this.commands === undefined) throw new Error("Redis is away");
    const text = JSON.stringify({ from: this.#replicaId, message });
    await this.commands.publish(this.#channel, text);
  }

  /**
   * Records whether a part can be shared, and logs when that changes.
   * @param problem why it cannot be shared; undefined if it can
   */
  report(part: string, problem: string | undefined): void {
    // A lost connection is reported once, as the problem of "redis".
    if (part !== "redis" && problem !== undefined && !this.commands?.isReady) return;
    const previousProblem = this.#problemsByPart.get(part);
    if (problem === undefined) this.#problemsByPart.delete(part);
    else this.#problemsByPart.set(part, problem);
    if (previousProblem === undefined && problem !== undefined) {
      this.#log.warning("not shared with other replicas for now", { part, problem });
    }
    if (previousProblem !== undefined && problem === undefined) {
      this.#log.info("shared with other replicas again", { part });
    }
  }

  /** Closes the connection, and does not reconnect. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#received.clear();
    this.#disconnect();
    await this.#running;
  }

  async #connect(): Promise<void> {
    const clients = this.#createClients();
    try {
      await withTimeout(
        Promise.all([clients.commands, clients.subscriber].map((client) => client.connect())),
      );
      await withTimeout(clients.subscriber.subscribe(this.#channel, (text) => this.#receive(text)));
      this.#clients = clients;
    } catch (error) {
      destroy(clients);
      throw error;
    }
  }

  async #refresh(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.refresh()));
  }

  #createClients(): RedisClients {
    const commands: RedisClientType = createClient({
      url: this.#url,
      disableOfflineQueue: true,
      socket: { connectTimeout: answerTimeoutMs, reconnectStrategy: false },
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
      const reason = await this.#waitUntilLost();
      if (this.#closing.signal.aborted) return;
      this.#disconnect();
      this.report("redis", reason);
      await this.#reconnect();
    }
  }

  /** Waits until the connection is lost. @returns the reason */
  async #waitUntilLost(): Promise<string> {
    const clients = this.#clients;
    if (clients === undefined) return "Redis is away";
    const { signal: lost } = clients.lost;
    while (!lost.aborted) {
      await pause(pingIntervalMs, lost);
      if (lost.aborted) break;
      const pings = [clients.commands, clients.subscriber].map((client) => client.ping());
      const isAnswered = withTimeout(Promise.all(pings)).then(
        () => true,
        () => false,
      );
      if (!(await isAnswered)) return "Redis does not answer";
      // The pings do not wait for the refresh. The parts report its errors.
      this.#refresh().catch(() => undefined);
    }
    return "the connection to Redis was lost";
  }

  async #reconnect(): Promise<void> {
    for (let pauseMs = 50; !this.#closing.signal.aborted; pauseMs *= 2) {
      // The random factor keeps replicas that lost Redis together from reconnecting at the same moment.
      const ms = Math.min(pauseMs, longestPauseMs) * (0.5 + Math.random());
      await pause(ms, this.#closing.signal);
      if (this.#closing.signal.aborted) return;
      try {
        await this.#connect();
        if (this.#closing.signal.aborted) return this.#disconnect();
        for (const part of this.#parts) part.missed?.();
        await withTimeout(this.#refresh(), refreshTimeoutMs).catch(() => undefined);
        return this.report("redis", undefined);
      } catch (error) {
        this.#log.debug("Redis is still away", { error: describeError(error) });
      }
    }
  }

  /** Ignores messages that it cannot read: replicas of other versions of this server may use the same channel. */
  #receive(text: string): void {
    if (text.startsWith(this.#ownStart)) return;
    if (text.length > maxMessageLength) return this.#received.drop();
    try {
      const { message } = JSON.parse(text) as { readonly message?: unknown };
      for (const part of this.#parts) part.received?.(message, this.#received);
    } catch {
      this.#countUnreadable(1);
    }
  }

  #drop(dropped: number): void {
    this.#countDrops(dropped);
    for (const part of this.#parts) part.missed?.();
    if (this.commands !== undefined) void this.#refresh().catch(() => undefined);
  }
}

function destroy({ commands, subscriber, lost }: RedisClients): void {
  lost.abort();
  for (const client of [commands, subscriber]) if (client.isOpen) client.destroy();
}

/**
 * Waits for a time, or until a signal aborts. A `Promise.race` with one long-lived promise would instead
 * hold a few hundred bytes for each wait until that promise settles.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** @throws Error if the promise takes longer than `ms` */
async function withTimeout<Value>(result: Promise<Value>, ms = answerTimeoutMs): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("Redis does not answer")), ms);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
