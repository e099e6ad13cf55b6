import type { Result } from "@modelcontextprotocol/server";
import type { HttpExchanges } from "../server/server.js";

declare module "../server/create-server.js" {
  interface FetchOptions {
    /** What came of the request, where its handler has run already. */
    readonly outcome?: Promise<Result> | undefined;
    /** When it had arrived whole, by `performance.now()`. */
    readonly since?: number;
  }
}

const outcomes = new WeakMap<Request, Promise<Result>>();
const arrivals = new WeakMap<Request, number>();

/** What is known of HTTP requests before the SDK sees them; it travels with each request. */
export const httpExchanges: HttpExchanges = {
  add: (request, { outcome, since }) => {
    if (outcome !== undefined) outcomes.set(request, outcome);
    if (since !== undefined) arrivals.set(request, since);
  },
  outcomeOf: (request) => outcomes.get(request),
  claimArrival: (request) => {
    const since = arrivals.get(request);
    arrivals.delete(request);
    return since;
  },
};
