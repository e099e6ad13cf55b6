import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";

type Listener = (event: ServerEvent) => void;

/** Passes on what changes to the clients of this process that listen for it. */
export class ServerEvents implements ServerEventBus {
  readonly #listeners = new Set<Listener>();

  publish(event: ServerEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // One client that cannot be told must not keep the others from being told.
      }
    }
  }

  /** @returns what ends it */
  subscribe(listener: Listener): () => void {
    // The same function may be given twice, and each time ended by itself.
    const own: Listener = (event) => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }
}
