import type { McpServer, Result } from "@modelcontextprotocol/server";
import { observeTransport } from "../connections/observed-transport.js";
import type { Era } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { RequestObserver } from "../observe/request-observer.js";
import type { Facility } from "../server/facility.js";
import type { ToolEntry } from "../tools/definition.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Prepares the SDK's server for a request whose headers repeat arguments. */
    readonly compareHeaders?: (
      mcp: McpServer,
      tools: readonly ToolEntry[],
      headers: Headers,
    ) => void;
  }
}

declare module "../server/requests.js" {
  interface FetchOptions {
    /** The result of the request, if its handler has run already. */
    readonly outcome?: Promise<Result> | undefined;
    /** The time when its body had arrived, by `performance.now()`. */
    readonly startedAt?: number;
    /** The client's address; undefined if nothing records it. */
    readonly address?: string | undefined;
  }
}

const outcomes = new WeakMap<Request, Promise<Result>>();
const addresses = new WeakMap<Request, string>();
const arrivals = new WeakMap<Request, number>();

/**
 * Keeps data about an HTTP request until the SDK makes a server for it, since the SDK does not pass them on.
 */
export function createExchanges({ tools, compareHeaders }: ServerDefinition): Facility {
  let observer: RequestObserver | undefined;
  return {
    join: (server) => void ({ observer } = server),
    wrapFetch: (fetch) => (request, exchange) => {
      const { outcome, startedAt, address } = exchange;
      if (address !== undefined) addresses.set(request, address);
      if (outcome !== undefined) outcomes.set(request, outcome);
      if (startedAt !== undefined) arrivals.set(request, startedAt);
      return fetch(request, exchange);
    },
    complete: (serverRequest) => {
      const { requestInfo: request, era } = serverRequest;
      if (request === undefined) return serverRequest;
      const outcome = outcomes.get(request);
      const prepare = (mcp: McpServer): void => {
        compareHeaders?.(mcp, tools, request.headers);
        if (observer !== undefined) observe(mcp, observer, request, era);
      };
      const address = addresses.get(request);
      const handled = outcome && { handled: { take: () => outcome } };
      return { ...serverRequest, address, prepare, ...handled };
    },
  };
}

/**
 * Observes the single request of this SDK server. Lasting connections are observed where their transport is
 * made.
 */
function observe(
  { server }: McpServer,
  observer: RequestObserver,
  request: Request,
  era: Era,
): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const startedAt = claimArrival(request);
    observeTransport(transport, observer, { transport: "http", era, startedAt: () => startedAt });
  };
}

/** Returns the time when a request had arrived; undefined at each later call for the same request. */
export function claimArrival(request: Request): number | undefined {
  const startedAt = arrivals.get(request);
  arrivals.delete(request);
  return startedAt;
}
