import type { ServerEvent } from "@modelcontextprotocol/server";
import type { LiveState } from "../changes/live-state.js";
import type { Switches } from "../changes/switches.js";
import { describeError } from "../engine/describe-error.js";
import type { Sharing } from "./definition.js";
import type { EventQueue } from "../engine/event-queue.js";
import type { RedisCommands, RedisConnection, SharedPart } from "./redis-connection.js";

/** Most events that wait for Redis. If there are more, one message says that anything may have changed. */
const maxQueuedMessages = 1_000;

/** Shares the events and switches of a replica with the others, as far as the manifest asks for it. */
export function shareChanges(redis: RedisConnection, { share }: Sharing, controls: object): void {
  // `createControls` of the same project always makes a `LiveState`.
  const state = controls as LiveState;
  if (share.includes("events")) redis.add(new SharedEvents(redis, state));
  if (share.includes("switches")) redis.add(new SharedSwitches(redis, state));
}

/** The message that carries an event. */
interface EventMessage {
  readonly event: ServerEvent;
  /** The only principal whose clients get the event; undefined if all get it. */
  readonly principal?: string | undefined;
}

/** The message that replaces the queued events if there are too many: any list or resource may have changed. */
const ANYTHING_CHANGED = { doubt: true };

const EVENT_KINDS: ReadonlySet<unknown> = new Set<ServerEvent["kind"]>([
  "tools_list_changed",
  "prompts_list_changed",
  "resources_list_changed",
  "resource_updated",
]);

/** Sends the events of this replica to the clients of the other replicas, and theirs to its own clients. */
class SharedEvents implements SharedPart {
  readonly #redis: RedisConnection;
  readonly #state: LiveState;
  /** Messages that are not sent yet, by their JSON, so that equal ones are sent once. */
  readonly #queue = new Map<string, EventMessage | typeof ANYTHING_CHANGED>();
  #isSending = false;

  constructor(redis: RedisConnection, state: LiveState) {
    this.#redis = redis;
    this.#state = state;
    state.events.relay = (event, principal) => this.#send({ event, principal });
    state.events.relayPossibleChanges = () => this.#send(ANYTHING_CHANGED);
  }

  async refresh(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#queue.size > 0) await this.#sendQueue();
      this.#redis.report("events", undefined);
    } catch (error) {
      this.#redis.report("events", describeError(error));
      throw error;
    } finally {
      this.#isSending = false;
    }
  }

  missed(): void {
    this.#state.events.reportPossibleChanges();
  }

  received(message: unknown, queue: EventQueue): void {
    if (isEvent(message)) {
      const { event, principal } = message;
      const key = JSON.stringify([event.kind, "uri" in event ? event.uri : "", principal]);
      queue.add(key, () => this.#state.events.deliver(event, principal));
    } else if ((message as Partial<typeof ANYTHING_CHANGED>).doubt === true) {
      queue.add("anything changed", () => this.missed());
    }
  }

  #send(message: EventMessage | typeof ANYTHING_CHANGED): void {
    if (this.#queue.size >= maxQueuedMessages) {
      this.#queue.clear();
      this.#queue.set("", ANYTHING_CHANGED);
    }
    this.#queue.set(JSON.stringify(message), message);
    if (this.#redis.commands !== undefined) this.refresh().catch(() => undefined);
  }

  /** Sends all queued messages at once. @throws Error if Redis does not accept some; those stay in the queue */
  async #sendQueue(): Promise<void> {
    const messages = [...this.#queue];
    this.#queue.clear();
    const outcomes = await Promise.allSettled(
      messages.map(([, message]) => this.#redis.publish(message)),
    );
    const failed = outcomes.filter((outcome) => outcome.status === "rejected");
    outcomes.forEach(({ status }, index) => {
      const [key, message] = messages[index] ?? [];
      if (status === "rejected" && key !== undefined && message) this.#queue.set(key, message);
    });
    if (failed[0] !== undefined) throw failed[0].reason;
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

/** The kinds of switches. A field of the hash in Redis is named `<kind>/<name>`. */
const SWITCH_KINDS = ["tools", "resources", "prompts"] as const;

/**
 * Keeps the switches of all replicas equal. A hash in Redis has the state of each switch that was ever used.
 * A replica that changes one writes it there and sends a message, after which the others read the hash.
 */
class SharedSwitches implements SharedPart {
  readonly #redis: RedisConnection;
  readonly #state: LiveState;
  readonly #key: string;
  /** The changes of this replica that are not in Redis yet, by field. */
  readonly #unwritten = new Map<string, boolean>();
  /** The fields of the hash, as this replica last wrote or read them. */
  readonly #lastKnownHash = new Map<string, string>();
  #synchronizing: Promise<void> | undefined;
  #isStale = false;

  constructor(redis: RedisConnection, state: LiveState) {
    this.#redis = redis;
    this.#state = state;
    this.#key = `${redis.prefix}switches`;
    for (const kind of SWITCH_KINDS) {
      state[kind].onSwitch = (name, isOn) => {
        this.#unwritten.set(`${kind}/${name}`, isOn);
        if (redis.commands !== undefined) void this.#synchronize().catch(() => undefined);
      };
    }
  }

  refresh(): Promise<void> {
    return this.#synchronize();
  }

  received(message: unknown, queue: EventQueue): void {
    if ((message as { readonly switched?: unknown }).switched !== true) return;
    queue.add("switched", () => {
      // Without a connection nothing is read: the refresh after the next connect does that.
      if (this.#redis.commands !== undefined) void this.#synchronize().catch(() => undefined);
    });
  }

  /** Writes the changes of this replica, then reads the hash. Repeats that if it was called again meanwhile. */
  #synchronize(): Promise<void> {
    this.#isStale = true;
    this.#synchronizing ??= this.#writeAndRead().finally(() => (this.#synchronizing = undefined));
    return this.#synchronizing;
  }

  async #writeAndRead(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#writeChanges();
        await this.#applyHash();
      }
      this.#redis.report("switches", undefined);
    } catch (error) {
      this.#redis.report("switches", describeError(error));
      throw error;
    }
  }

  async #writeChanges(): Promise<void> {
    const changes = [...this.#unwritten];
    if (changes.length === 0) return;
    const fields = changes.map(([field, isOn]) => [field, isOn ? "1" : "0"] as const);
    await this.#commands().hSet(this.#key, Object.fromEntries(fields));
    for (const [field, isOn] of changes) {
      // Remembered at once, because Redis may lose the field before this replica reads it.
      this.#lastKnownHash.set(field, isOn ? "1" : "0");
      if (this.#unwritten.get(field) === isOn) this.#unwritten.delete(field);
    }
    await this.#redis.publish({ switched: true });
  }

  async #applyHash(): Promise<void> {
    for (const [field, value] of Object.entries(await this.#readHash())) {
      this.#lastKnownHash.set(field, value);
      if (this.#unwritten.has(field)) continue;
      const [kind = "", name = ""] = splitAtFirst(field);
      this.#switchesOf(kind)?.apply(name, value === "1");
    }
  }

  /** Reads the hash, and restores the fields that Redis has lost, by a restart for example. */
  async #readHash(): Promise<Readonly<Record<string, string>>> {
    const commands = this.#commands();
    const hash = await commands.hGetAll(this.#key);
    const lost = [...this.#lastKnownHash].filter(([field]) => !Object.hasOwn(hash, field));
    if (lost.length === 0) return hash;
    await Promise.all(lost.map(([field, value]) => commands.hSetNX(this.#key, field, value)));
    return commands.hGetAll(this.#key);
  }

  #switchesOf(kind: string): Switches | undefined {
    const switchKind = SWITCH_KINDS.find((candidate) => candidate === kind);
    return switchKind && this.#state[switchKind];
  }

  #commands(): RedisCommands {
    const { commands } = this.#redis;
    if (commands === undefined) throw new Error("Redis is away");
    return commands;
  }
}

function splitAtFirst(field: string): string[] {
  const slash = field.indexOf("/");
  return [field.slice(0, slash), field.slice(slash + 1)];
}
