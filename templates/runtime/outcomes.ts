import type { Result } from "@modelcontextprotocol/server";

/**
 * What came of requests whose handlers have run before the SDK saw them. The outcome travels with
 * the request, so that nothing runs twice.
 */
export class Outcomes {
  readonly #outcomes = new WeakMap<Request, Promise<Result>>();

  add(request: Request, outcome: Promise<Result>): void {
    this.#outcomes.set(request, outcome);
  }

  get(request: Request | undefined): Promise<Result> | undefined {
    return request === undefined ? undefined : this.#outcomes.get(request);
  }
}
