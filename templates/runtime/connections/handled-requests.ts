import type { RequestId, Result } from "@modelcontextprotocol/server";

/**
 * What came of requests of one connection whose handlers have run before the SDK sees them. Nothing
 * runs twice.
 */
export class HandledRequests {
  readonly #ran = new Map<RequestId, { outcome: Promise<Result>; since: number | undefined }>();

  /** @param since When the request had arrived, by `performance.now()`; undefined where nobody observes it. */
  add(id: RequestId, outcome: Promise<Result>, since: number | undefined): void {
    this.#ran.set(id, { outcome, since });
  }

  arrivalOf(id: RequestId): number | undefined {
    return this.#ran.get(id)?.since;
  }

  /** What came of a request; undefined where that was asked already, or nothing has run. */
  take(id: RequestId): Promise<Result> | undefined {
    const ran = this.#ran.get(id);
    this.#ran.delete(id);
    return ran?.outcome;
  }
}
