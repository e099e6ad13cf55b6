import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";

type Listener = (event: ServerEvent) => void;

/** For whom something listens. */
export interface Listening {
  /** Undefined where callers need not say who they are. */
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
  /** For whom the SDK is answering: it subscribes without a word of whom it does so for. */
  readonly #served = new AsyncLocalStorage<Listening>();

  /** Passes an event on to other processes, where any share the events of this one. */
  relay?: (event: ServerEvent, principal: string | undefined) => void;

  /** @param principal To whose clients alone it is passed on; by default to all. */
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
   * Tells the clients of this process that all that they watch may have changed: other processes may have
   * said so, and were not heard.
   */
  deliverDoubt(): void {
    for (const { listener, watched } of this.#subscribers) {
      tell(listener, { kind: "resources_list_changed" });
      for (const uri of new Set(watched())) tell(listener, { kind: "resource_updated", uri });
    }
  }

  /**
   * @param listening By default the one that {@link serve} names.
   * @returns what ends it
   */
  subscribe(listener: Listener, listening = this.#served.getStore() ?? NOBODY): () => void {
    const subscriber = { ...listening, listener };
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  /** Does some work, in which every subscription is for this client. */
  serve<Value>(listening: Listening, work: () => Value): Value {
    return this.#served.run(listening, work);
  }
}

/** One client that cannot be told must not keep the others from being told. */
function tell(listener: Listener, event: ServerEvent): void {
  try {
    listener(event);
  } catch {
    // Its connection ends by itself.
  }
}
