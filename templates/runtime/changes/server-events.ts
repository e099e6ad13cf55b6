import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";

type Listener = (event: ServerEvent) => void;

/** Describes a client that listens for events. */
export interface Listening {
  /** Undefined if callers are not authenticated. */
  readonly principal: string | undefined;
  /** The URIs of the resources that the client watches now. */
  watched(): Iterable<string>;
  /** Whether the resource at a URI is hidden from the client, who is then not told of it. By default none is. */
  isHidden?(uri: string): boolean;
}

/** A client that listens for events, with the function that is called for each event. */
interface Subscriber extends Listening {
  readonly listener: Listener;
}

const NOBODY: Listening = { principal: undefined, watched: () => [] };

/** Sends events to the clients of this process that listen for them. */
export class ServerEvents implements ServerEventBus {
  readonly #subscribers = new Set<Subscriber>();
  /** The client whose request the SDK is answering. When the SDK subscribes, it does not name the client. */
  readonly #served = new AsyncLocalStorage<Listening>();

  /** Sends an event to the other processes of the server. Undefined if there are none. */
  relay?: (event: ServerEvent, principal: string | undefined) => void;
  /** Tells the other processes of the server that anything may have changed. Undefined if there are none. */
  relayPossibleChanges?: () => void;

  /** @param principal The principal whose clients get the event. By default all clients get it. */
  publish(event: ServerEvent, principal?: string): void {
    this.deliver(event, principal);
    this.relay?.(event, principal);
  }

  /** Sends an event only to the clients of this process. */
  deliver(event: ServerEvent, principal?: string): void {
    for (const subscriber of this.#subscribers) {
      if (principal !== undefined && subscriber.principal !== principal) continue;
      tell(subscriber, event);
    }
  }

  /** Notifies the clients of all processes that everything they watch may have changed. */
  publishPossibleChanges(): void {
    this.reportPossibleChanges();
    this.relayPossibleChanges?.();
  }

  /**
   * Notifies the clients of this process that everything they watch may have changed. It is called when
   * notifications may have been lost.
   */
  reportPossibleChanges(): void {
    for (const subscriber of this.#subscribers) {
      tell(subscriber, { kind: "resources_list_changed" });
      for (const uri of new Set(subscriber.watched())) {
        tell(subscriber, { kind: "resource_updated", uri });
      }
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

  /** Runs `work`. Every subscription that is made during it belongs to this client. */
  serve<Value>(listening: Listening, work: () => Value): Value {
    return this.#served.run(listening, work);
  }
}

/** Tells a client of an event. Its error is ignored, so that the other clients are still notified. */
function tell(subscriber: Subscriber, event: ServerEvent): void {
  try {
    if (event.kind === "resource_updated" && subscriber.isHidden?.(event.uri)) return;
    subscriber.listener(event);
  } catch {
    // The connection of a client that cannot be notified ends by itself.
  }
}
