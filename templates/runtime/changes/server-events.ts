import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";

type Listener = (event: ServerEvent) => void;

/** The client that listens. */
export interface Listening {
  /** Undefined where callers are not authenticated. */
  readonly principal: string | undefined;
  /** The URIs of the resources that the client watches now. */
  watched(): Iterable<string>;
}

/** A client that listens for events, and the principal that it belongs to. */
interface Subscriber extends Listening {
  readonly listener: Listener;
}

const NOBODY: Listening = { principal: undefined, watched: () => [] };

/** Passes on what changes to the clients of this process that listen for it. */
export class ServerEvents implements ServerEventBus {
  readonly #subscribers = new Set<Subscriber>();
  /** The client that the SDK is answering. The SDK does not say for whom it subscribes. */
  readonly #served = new AsyncLocalStorage<Listening>();

  /** Passes an event on to other processes, where any share the events of this one. */
  relay?: (event: ServerEvent, principal: string | undefined) => void;

  /** @param principal The principal whose clients get the event; by default all do. */
  publish(event: ServerEvent, principal?: string): void {
    this.deliver(event, principal);
    this.relay?.(event, principal);
  }

  /** Passes an event on to the clients of this process only. */
  deliver(event: ServerEvent, principal?: string): void {
    for (const subscriber of this.#subscribers) {
      if (principal !== undefined && subscriber.principal !== principal) continue;
      tell(subscriber.listener, event);
    }
  }

  /**
   * Notifies the clients of this process that everything they watch may have changed: notifications of other
   * processes may have been lost.
   */
  deliverDoubt(): void {
    for (const { listener, watched } of this.#subscribers) {
      tell(listener, { kind: "resources_list_changed" });
      for (const uri of new Set(watched())) tell(listener, { kind: "resource_updated", uri });
    }
  }

  /**
   * @param listening By default the client that {@link serve} names. @returns a function that ends the
   * subscription
   */
  subscribe(listener: Listener, listening = this.#served.getStore() ?? NOBODY): () => void {
    const subscriber = { ...listening, listener };
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  /** Does some work; every subscription made meanwhile is for this client. */
  serve<Value>(listening: Listening, work: () => Value): Value {
    return this.#served.run(listening, work);
  }
}

/** A client that cannot be notified must not keep the others from being notified. */
function tell(listener: Listener, event: ServerEvent): void {
  try {
    listener(event);
  } catch {
    // Its connection ends by itself.
  }
}
