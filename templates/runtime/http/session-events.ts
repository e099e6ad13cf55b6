import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** Most JSON of the events of one session, and of all sessions together, in characters. */
const maxLengthOfSession = 4 * 1024 * 1024;
const maxLengthOfAll = 64 * 1024 * 1024;
const maxEvents = 1_000;

/** Limits the events of all sessions of a server together, by the length of their JSON. */
export class EventBudget {
  readonly #holders = new Set<SessionEvents>();
  readonly #most: number;
  #used = 0;

  constructor(most = maxLengthOfAll) {
    this.#most = most;
  }

  /**
   * Adds to the length of a session's events; a negative length subtracts. If all events together are too
   * long, the sessions with most of them drop their oldest ones.
   */
  count(session: SessionEvents, length: number): void {
    this.#used += length;
    if (session.length === 0) this.#holders.delete(session);
    else this.#holders.add(session);
    while (this.#used > this.#most) this.#longest()?.dropOldest();
  }

  #longest(): SessionEvents | undefined {
    let longest: SessionEvents | undefined;
    for (const holder of this.#holders) {
      if (longest === undefined || holder.length > longest.length) longest = holder;
    }
    return longest;
  }
}

interface StoredEvent {
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly length: number;
  /** The scopes that a client needs to get it. */
  readonly scopes: readonly string[];
}

/**
 * The latest events of one session, for a client that lost a stream. If they get too long, the oldest are
 * dropped. The newest is kept at any length, as long as the events of all sessions are within their limit.
 */
export class SessionEvents implements EventStore {
  readonly #budget: EventBudget;
  /** By id, the oldest first. */
  readonly #events = new Map<string, StoredEvent>();
  #length = 0;
  #last = 0;

  constructor(budget: EventBudget) {
    this.#budget = budget;
  }

  /** @param scopes the scopes that a client needs to get the event */
  storeEvent(
    streamId: string,
    message: JSONRPCMessage,
    scopes: readonly string[] = [],
  ): Promise<string> {
    const id = String((this.#last += 1));
    const { length } = JSON.stringify(message);
    this.#events.set(id, { streamId, message, length, scopes });
    this.#count(length);
    while (this.#events.size > 1 && this.#isOverLimit()) this.dropOldest();
    return Promise.resolve(id);
  }

  /** Whether the events after this one can be replayed. */
  has(eventId: string): boolean {
    return this.#events.has(eventId);
  }

  /** The stream of an event; undefined if the event is unknown. */
  streamOf(eventId: string): string | undefined {
    return this.#events.get(eventId)?.streamId;
  }

  /** The scopes that a client needs to get an event; undefined if the event is unknown. */
  scopesOf(eventId: string): readonly string[] | undefined {
    return this.#events.get(eventId)?.scopes;
  }

  /** @param mayGet whether the client may get an event that needs these scopes */
  async replayEventsAfter(
    lastEventId: string,
    { send }: Parameters<EventStore["replayEventsAfter"]>[1],
    mayGet: (scopes: readonly string[]) => boolean = () => true,
  ): Promise<string> {
    const streamId = this.streamOf(lastEventId);
    if (streamId === undefined) throw new Error("No such event");
    for (const [id, event] of this.#events) {
      if (Number(id) <= Number(lastEventId) || event.streamId !== streamId) continue;
      if (!mayGet(event.scopes)) continue;
      // The first event of a stream only has an id; the SDK stores it as an empty message.
      if (Object.keys(event.message).length > 0) await send(id, event.message);
    }
    return streamId;
  }

  /** The length of the events as JSON, in characters. */
  get length(): number {
    return this.#length;
  }

  dropOldest(): void {
    for (const oldest of this.#events.keys()) return this.#drop(oldest);
  }

  /** Forgets every event. */
  clear(): void {
    for (const id of this.#events.keys()) this.#drop(id);
  }

  #isOverLimit(): boolean {
    return this.#length > maxLengthOfSession || this.#events.size > maxEvents;
  }

  #drop(id: string): void {
    const { length } = this.#events.get(id) ?? { length: 0 };
    this.#events.delete(id);
    this.#count(-length);
  }

  #count(length: number): void {
    this.#length += length;
    this.#budget.count(this, length);
  }
}
