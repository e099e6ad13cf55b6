import type { McpServer, ServerCapabilities } from "@modelcontextprotocol/server";
import { observeTransport } from "../connections/observed-transport.js";
import type { Era } from "../context/context.js";
import type { CallMemory } from "../memory/call-memory.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Engine } from "../engine/engine.js";
import type { Method } from "../engine/feature.js";
import type { RequestObserver } from "../observe/request-observer.js";
import type { Facility } from "../server/facility.js";
import type { FetchOptions, ServerRequest } from "../server/requests.js";

/** Data about an HTTP request that its headers and body do not contain. */
type RequestData = Pick<FetchOptions, "outcome" | "address"> & {
  /** When its body had arrived; undefined after {@link claimArrival} has returned it. */
  startedAt: number | undefined;
};

const memoryByRequest = new WeakMap<Request, RequestMemory>();

/** The memory of a request, which may be a batch of calls. */
export interface RequestMemory {
  nextCall(): CallMemory;
}

/** Keeps the memory of a request for its calls. */
export function rememberMemory(request: Request, memory: RequestMemory): void {
  memoryByRequest.set(request, memory);
}

/** Returns the memory of a call that an HTTP request makes. */
export const memoryOfRequest: NonNullable<ServerRequest["memoryOf"]> = ({ request, signal }) =>
  request && memoryByRequest.get(request)?.nextCall().endOn(signal);

const dataByRequest = new WeakMap<Request, RequestData>();

/** Keeps data about HTTP requests until the SDK makes servers for them, since the SDK does not pass such data on. */
export function createRequestData(definition: ServerDefinition): Facility {
  const { tools, compareHeaders, senderOf } = definition;
  let callTool: Method | undefined;
  let observer: RequestObserver | undefined;
  let legacyCapabilities: ServerCapabilities | undefined;
  return {
    join: (server) => {
      observer = server.observer;
      callTool = server.engine.methods.get("tools/call");
      legacyCapabilities = requestCapabilities(server.engine);
      return undefined;
    },
    wrapFetch: (fetch) => (request, exchange) => {
      const { outcome, startedAt, address } = exchange;
      dataByRequest.set(request, { outcome, startedAt, address });
      return fetch(request, exchange);
    },
    completeRequest: (serverRequest) => {
      const { requestInfo: request, era, authInfo } = serverRequest;
      if (request === undefined) return serverRequest;
      const { outcome, address } = dataByRequest.get(request) ?? {};
      const prepare = (mcp: McpServer): void => {
        serverRequest.prepare?.(mcp);
        const caller = (authInfo && senderOf?.(authInfo)) ?? {};
        compareHeaders?.(mcp, tools, request.headers, ({ definition: { name } }) => {
          return callTool?.itemOf?.({ name }, caller) === undefined;
        });
        if (observer !== undefined) observe(mcp, observer, request, era);
      };
      const capabilities = era === "legacy" ? legacyCapabilities : undefined;
      const handled = outcome && { handled: { take: () => outcome } };
      const memoryOf = memoryOfRequest;
      return { ...serverRequest, address, prepare, capabilities, memoryOf, ...handled };
    },
  };
}

/**
 * The capabilities for a client of the older eras whose requests belong to no connection. Such a client cannot
 * get notifications of changes.
 */
export function requestCapabilities({ definition, capabilities }: Engine): ServerCapabilities {
  return definition.quietCapabilities?.(capabilities) ?? capabilities;
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
  const data = dataByRequest.get(request);
  const startedAt = data?.startedAt;
  if (data !== undefined) data.startedAt = undefined;
  return startedAt;
}
