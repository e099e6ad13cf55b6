import type { Result } from "@modelcontextprotocol/server";
import { observeTransport } from "../connections/observed-transport.js";
import type { HttpExchanges } from "../server/server.js";

declare module "../server/requests.js" {
  interface FetchOptions {
    /** What came of the request, where its handler has run already. */
    readonly outcome?: Promise<Result> | undefined;
    /** When it had arrived whole, by `performance.now()`. */
    readonly since?: number;
    /** Whence it comes, where somebody wants to know. */
    readonly address?: string | undefined;
  }
}

const outcomes = new WeakMap<Request, Promise<Result>>();
const addresses = new WeakMap<Request, string>();
const arrivals = new WeakMap<Request, number>();

/** What is known of HTTP requests before the SDK sees them; it travels with each request. */
export const httpExchanges: HttpExchanges = {
  add: (request, { outcome, since, address }) => {
    if (address !== undefined) addresses.set(request, address);
    if (outcome !== undefined) outcomes.set(request, outcome);
    if (since !== undefined) arrivals.set(request, since);
  },
  outcomeOf: (request) => outcomes.get(request),
  addressOf: (request) => addresses.get(request),
  // Where a client stays connected, whoever made its transport observes that.
  observe: ({ server }, observer, request, era) => {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      await connect(transport);
      const since = claimArrival(request);
      observeTransport(transport, observer, { transport: "http", era, since: () => since });
    };
  },
};

/** When a request had arrived; undefined where that was asked already. */
export function claimArrival(request: Request): number | undefined {
  const since = arrivals.get(request);
  arrivals.delete(request);
  return since;
}
