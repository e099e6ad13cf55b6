import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";

type Listener = (event: ServerEvent) => void;

/** A client that listens for events, and the principal that it belongs to. */
interface Subscriber {
  readonly listener: Listener;
  /** Undefined where callers need not say who they are. */
  readonly principal: string | undefined;
}

/** Passes on what changes to the clients of this process that listen for it. */
export class ServerEvents implements ServerEventBus {
  readonly #subscribers = new Set<Subscriber>();
  /** For whom the SDK is answering: it subscribes without a word of whom it does so for. */
  readonly #served = new AsyncLocalStorage<string>();

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
      try {
        subscriber.listener(event);
      } catch {
        // One client that cannot be told must not keep the others from being told.
      }
    }
  }

  /**
   * @param principal Whom the client belongs to; by default the one that {@link serve} names.
   * @returns what ends it
   */
  subscribe(listener: Listener, principal = this.#served.getStore()): () => void {
    const subscriber = { listener, principal };
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  /** Does some work, in which every subscription is one of this principal. */
  serve<Value>(principal: string, work: () => Value): Value {
    return this.#served.run(principal, work);
  }
}
