import type { ServerEvent } from "@modelcontextprotocol/server";
import type { ServerState } from "../changes/live-state.js";
import type { Switches } from "../changes/switches.js";
import { describeError } from "../engine/describe-error.js";
import type { LiveState } from "../engine/parts.js";
import type { Sharing } from "./definition.js";
import type { RedisConnection, SharedPart } from "./redis-connection.js";

/** Most events that wait for Redis to come back; further ones reach the clients of this replica alone. */
const mostWaiting = 1_000;

/** Shares events and switches of a server with its other replicas. */
export function shareChanges(redis: RedisConnection, { share }: Sharing, live: LiveState): void {
  // `createLiveState` of the same project has made it.
  const state = live as ServerState;
  if (share.includes("events")) redis.add(new SharedEvents(redis, state));
  if (share.includes("switches")) redis.add(new SharedSwitches(redis, state));
}

/** An event as it goes through Redis. */
interface EventMessage {
  readonly event: ServerEvent;
  /** To whose clients alone it is passed on. */
  readonly principal?: string | undefined;
}

const EVENT_KINDS: ReadonlySet<unknown> = new Set<ServerEvent["kind"]>([
  "tools_list_changed",
  "prompts_list_changed",
  "resources_list_changed",
  "resource_updated",
]);

/** Passes what handlers tell clients on to the clients of the other replicas. */
class SharedEvents implements SharedPart {
  readonly #redis: RedisConnection;
  readonly #state: ServerState;
  /** Not sent yet; the same event for the same principal is sent once. */
  readonly #waiting = new Map<string, EventMessage>();
  #wasConnected = false;
  #sending = false;

  constructor(redis: RedisConnection, state: ServerState) {
    this.#redis = redis;
    this.#state = state;
    state.events.relay = (event, principal) => this.#send({ event, principal });
  }

  async connected(): Promise<void> {
    // Nobody knows what others have said in the meantime.
    if (this.#wasConnected) this.#state.events.deliver({ kind: "resources_list_changed" });
    this.#wasConnected = true;
    await this.#sendWaiting();
  }

  received(message: unknown): void {
    if (!isEvent(message)) return;
    this.#state.events.deliver(message.event, message.principal);
  }

  #send(message: EventMessage): void {
    if (this.#waiting.size >= mostWaiting) return;
    this.#waiting.set(JSON.stringify(message), message);
    if (this.#redis.commands !== undefined) void this.#sendWaiting();
  }

  async #sendWaiting(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    try {
      for (const [key, message] of this.#waiting) {
        this.#waiting.delete(key);
        await this.#redis.publish(message).catch((error: unknown) => {
          this.#waiting.set(key, message);
          throw error;
        });
      }
      this.#redis.report("events", undefined);
    } catch (error) {
      this.#redis.report("events", describeError(error));
    } finally {
      this.#sending = false;
    }
  }
}

function isEvent(message: unknown): message is EventMessage {
  const { event, principal } = message as {
    readonly event?: { readonly kind?: unknown; readonly uri?: unknown };
    readonly principal?: unknown;
  };
  if (event === undefined || !EVENT_KINDS.has(event.kind)) return false;
  if (principal !== undefined && typeof principal !== "string") return false;
  return event.kind !== "resource_updated" || typeof event.uri === "string";
}

/** The switches of a server, by the names that their fields begin with in Redis. */
const KINDS = ["tools", "resources", "prompts"] as const;

/**
 * Keeps the switches of all replicas the same. Redis has a hash of those that were ever switched. A
 * replica that switches one writes it there and tells the others, which read the hash.
 */
class SharedSwitches implements SharedPart {
  readonly #redis: RedisConnection;
  readonly #state: ServerState;
  readonly #key: string;
  /** Switched here, and not written yet. */
  readonly #waiting = new Map<string, boolean>();
  /** The fields of the hash, as they were read last. */
  readonly #read = new Map<string, string>();
  #synchronizing: Promise<void> | undefined;
  #isStale = false;

  constructor(redis: RedisConnection, state: ServerState) {
    this.#redis = redis;
    this.#state = state;
    this.#key = `${redis.prefix}switches`;
    for (const kind of KINDS) {
      state[kind].onSwitch = (name, isOn) => {
        this.#waiting.set(`${kind}/${name}`, isOn);
        if (redis.commands !== undefined) void this.#synchronize().catch(() => undefined);
      };
    }
  }

  /** A Redis that was restarted may have lost its hash: what nobody has written since is written again. */
  async connected(): Promise<void> {
    for (const [field, value] of this.#read) await this.#commands().hSetNX(this.#key, field, value);
    await this.#synchronize();
  }

  received(message: unknown): void {
    const isSwitched = (message as { readonly switched?: unknown }).switched === true;
    if (isSwitched) void this.#synchronize().catch(() => undefined);
  }

  /** Writes what waits and reads what is written, one after the other, and again where more has come meanwhile. */
  #synchronize(): Promise<void> {
    this.#isStale = true;
    this.#synchronizing ??= this.#run().finally(() => (this.#synchronizing = undefined));
    return this.#synchronizing;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#write();
        await this.#readAll();
      }
      this.#redis.report("switches", undefined);
    } catch (error) {
      this.#redis.report("switches", describeError(error));
      throw error;
    }
  }

  async #write(): Promise<void> {
    const written = [...this.#waiting];
    if (written.length === 0) return;
    const fields = written.map(([field, isOn]) => [field, isOn ? "1" : "0"] as const);
    await this.#commands().hSet(this.#key, Object.fromEntries(fields));
    for (const [field, isOn] of written) {
      if (this.#waiting.get(field) === isOn) this.#waiting.delete(field);
    }
    await this.#redis.publish({ switched: true });
  }

  async #readAll(): Promise<void> {
    const found = await this.#commands().hGetAll(this.#key);
    for (const [field, value] of Object.entries(found)) {
      this.#read.set(field, value);
      if (this.#waiting.has(field)) continue;
      const [kind = "", name = ""] = splitAtFirst(field);
      this.#switchesOf(kind)?.apply(name, value === "1");
    }
  }

  #switchesOf(kind: string): Switches | undefined {
    const known = KINDS.find((one) => one === kind);
    return known && this.#state[known];
  }

  #commands(): NonNullable<RedisConnection["commands"]> {
    const { commands } = this.#redis;
    if (commands === undefined) throw new Error("Redis is away");
    return commands;
  }
}

function splitAtFirst(field: string): string[] {
  const slash = field.indexOf("/");
  return [field.slice(0, slash), field.slice(slash + 1)];
}
