import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** What the events of one session may take up, and those of all sessions together, as lengths of JSON. */
const mostOfSession = 4 * 1024 * 1024;
const mostOfAll = 64 * 1024 * 1024;
const mostEvents = 1_000;

/** How much the events of all sessions of a server take up. */
export class EventBudget {
  used = 0;
  readonly most: number;

  constructor(most = mostOfAll) {
    this.most = most;
  }
}

interface StoredEvent {
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly length: number;
}

/**
 * The last events of one session, so that a client that lost a stream can have what it missed. Where
 * they would take up too much, the session's oldest go first; the newest stays, whatever its length.
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

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = String((this.#last += 1));
    this.#events.set(id, { streamId, message, length: JSON.stringify(message).length });
    this.#count(this.#events.get(id)?.length ?? 0);
    for (const oldest of this.#events.keys()) {
      if (oldest === id || !this.#isOverLimit()) break;
      this.#drop(oldest);
    }
    return Promise.resolve(id);
  }

  /** Whether the events after this one can be replayed. */
  has(eventId: string): boolean {
    return this.#events.has(eventId);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: Parameters<EventStore["replayEventsAfter"]>[1],
  ): Promise<string> {
    const streamId = this.#events.get(lastEventId)?.streamId;
    if (streamId === undefined) throw new Error("No such event");
    for (const [id, event] of this.#events) {
      if (Number(id) <= Number(lastEventId) || event.streamId !== streamId) continue;
      // The first event of a stream only tells its id; the SDK keeps it as an empty message.
      if (Object.keys(event.message).length > 0) await send(id, event.message);
    }
    return streamId;
  }

  /** Forgets every event. */
  clear(): void {
    for (const id of this.#events.keys()) this.#drop(id);
  }

  #isOverLimit(): boolean {
    return (
      this.#length > mostOfSession ||
      this.#budget.used > this.#budget.most ||
      this.#events.size > mostEvents
    );
  }

  #drop(id: string): void {
    this.#count(-(this.#events.get(id)?.length ?? 0));
    this.#events.delete(id);
  }

  #count(length: number): void {
    this.#length += length;
    this.#budget.used += length;
  }
}
