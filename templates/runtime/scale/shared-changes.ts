import type { ServerEvent } from "@modelcontextprotocol/server";
import type { ServerState } from "../changes/live-state.js";
import type { Switches } from "../changes/switches.js";
import { describeError } from "../engine/describe-error.js";
import type { LiveState } from "../engine/parts.js";
import type { Sharing } from "./definition.js";
import type { RedisConnection, SharedPart } from "./redis-connection.js";

/** Most events that wait for Redis. Where there are more, others are told that anything may have changed. */
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

/** Says that there were too many events to send each. */
const DOUBT = { doubt: true };

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
  readonly #waiting = new Map<string, EventMessage | typeof DOUBT>();
  #isSending = false;

  constructor(redis: RedisConnection, state: ServerState) {
    this.#redis = redis;
    this.#state = state;
    state.events.relay = (event, principal) => this.#send({ event, principal });
  }

  async refresh(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#waiting.size > 0) await this.#sendWaiting();
      this.#redis.report("events", undefined);
    } catch (error) {
      this.#redis.report("events", describeError(error));
      throw error;
    } finally {
      this.#isSending = false;
    }
  }

  missed(): void {
    this.#state.events.deliverDoubt();
  }

  received(message: unknown): void {
    if (isEvent(message)) this.#state.events.deliver(message.event, message.principal);
    else if ((message as Partial<typeof DOUBT>).doubt === true) this.missed();
  }

  #send(message: EventMessage): void {
    if (this.#waiting.size >= mostWaiting) {
      this.#waiting.clear();
      this.#waiting.set("", DOUBT);
    }
    this.#waiting.set(JSON.stringify(message), message);
    if (this.#redis.commands !== undefined) this.refresh().catch(() => undefined);
  }

  /** Sends all that waits, one after the other without a pause. @throws Error where Redis does not take some, which wait on */
  async #sendWaiting(): Promise<void> {
    const sent = [...this.#waiting];
    this.#waiting.clear();
    const outcomes = await Promise.allSettled(
      sent.map(([, message]) => this.#redis.publish(message)),
    );
    const failed = outcomes.filter((outcome) => outcome.status === "rejected");
    outcomes.forEach(({ status }, index) => {
      const [key, message] = sent[index] ?? [];
      if (status === "rejected" && key !== undefined && message) this.#waiting.set(key, message);
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
  /** The fields of the hash, as they were written or read last. */
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

  refresh(): Promise<void> {
    return this.#synchronize();
  }

  received(message: unknown): void {
    const isSwitched = (message as { readonly switched?: unknown }).switched === true;
    // While the connection is being made, the refresh that follows reads what was switched.
    const isConnected = this.#redis.commands !== undefined;
    if (isSwitched && isConnected) void this.#synchronize().catch(() => undefined);
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
      // Redis may lose it before it is read.
      this.#read.set(field, isOn ? "1" : "0");
      if (this.#waiting.get(field) === isOn) this.#waiting.delete(field);
    }
    await this.#redis.publish({ switched: true });
  }

  async #readAll(): Promise<void> {
    for (const [field, value] of Object.entries(await this.#readHash())) {
      this.#read.set(field, value);
      if (this.#waiting.has(field)) continue;
      const [kind = "", name = ""] = splitAtFirst(field);
      this.#switchesOf(kind)?.apply(name, value === "1");
    }
  }

  /** A Redis that was restarted or emptied has lost its hash: what nobody has written since is written again. */
  async #readHash(): Promise<Readonly<Record<string, string>>> {
    const commands = this.#commands();
    const found = await commands.hGetAll(this.#key);
    const lost = [...this.#read].filter(([field]) => !Object.hasOwn(found, field));
    if (lost.length === 0) return found;
    await Promise.all(lost.map(([field, value]) => commands.hSetNX(this.#key, field, value)));
    return commands.hGetAll(this.#key);
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
