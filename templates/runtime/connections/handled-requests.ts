import type { RequestId, Result } from "@modelcontextprotocol/server";

/** The results of requests whose handlers run before the SDK sees the request, so that no handler runs twice. */
export class HandledRequests {
  readonly #handled = new Map<
    RequestId,
    { result: Promise<Result>; arrival: number | undefined }
  >();

  /** @param arrival when the request arrived, by `performance.now()`; undefined if no observer needs it */
  add(id: RequestId, result: Promise<Result>, arrival: number | undefined): void {
    this.#handled.set(id, { result, arrival });
  }

  arrivalOf(id: RequestId): number | undefined {
    return this.#handled.get(id)?.arrival;
  }

  /** Removes and returns the result of a request; undefined if there is none (any more). */
  take(id: RequestId): Promise<Result> | undefined {
    const handled = this.#handled.get(id);
    this.#handled.delete(id);
    return handled?.result;
  }
}
