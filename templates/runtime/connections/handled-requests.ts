import type { RequestId, Result } from "@modelcontextprotocol/server";

/** The results of requests whose handlers have run before the SDK sees them, so that no handler runs twice. */
export class HandledRequests {
  readonly #handled = new Map<RequestId, { outcome: Promise<Result>; since: number | undefined }>();

  /** @param since When the request had arrived, by `performance.now()`; undefined where nobody observes it. */
  add(id: RequestId, outcome: Promise<Result>, since: number | undefined): void {
    this.#handled.set(id, { outcome, since });
  }

  arrivalOf(id: RequestId): number | undefined {
    return this.#handled.get(id)?.since;
  }

  /** Returns the result of a request, once; undefined after that, or where no handler has run. */
  take(id: RequestId): Promise<Result> | undefined {
    const handled = this.#handled.get(id);
    this.#handled.delete(id);
    return handled?.outcome;
  }
}
