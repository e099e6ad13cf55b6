import { promisify } from "node:util";
import type { Trail } from "../audit/trail.js";
import type { PrimaryLink } from "./primary-link.js";

const endOfTurn = promisify(setImmediate);

/** The audit trail of a worker. The primary process writes its lines, together with those of the others. */
export class WorkerTrail implements Trail {
  readonly #link: PrimaryLink;
  /** The lines of this turn of the event loop, which are sent together at its end. */
  #lines: string[] = [];
  #sending: Promise<void> | undefined;
  /** All lines that are sent and not answered yet. */
  readonly #unanswered = new Set<Promise<void>>();

  constructor(link: PrimaryLink) {
    this.#link = link;
  }

  write(line: string): Promise<void> {
    this.#lines.push(line);
    this.#sending ??= this.#send();
    return this.#sending;
  }

  async #send(): Promise<void> {
    await endOfTurn();
    const lines = this.#lines;
    const sent = this.#sending;
    this.#lines = [];
    this.#sending = undefined;
    if (sent !== undefined) this.#unanswered.add(sent);
    try {
      await this.#link.ask("audit", { lines });
    } finally {
      if (sent !== undefined) this.#unanswered.delete(sent);
    }
  }

  async synced(): Promise<void> {
    await this.#link.ask("sync", {});
  }

  async close(): Promise<void> {
    await this.#sending?.catch(() => undefined);
    await Promise.allSettled(this.#unanswered);
  }
}
