import type {
  McpServer,
  RequestId,
  ServerCapabilities,
  Transport,
} from "@modelcontextprotocol/server";
import { observeTransport } from "../connections/observed-transport.js";
import type { Era } from "../context/context.js";
import type { CallMemory } from "../memory/call-memory.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Engine } from "../engine/engine.js";
import type { Method } from "../engine/feature.js";
import type { LongTexts } from "../engine/long-texts.js";
import { isRequest, type RequestObserver } from "../observe/request-observer.js";
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
  /** The long texts of its answers, which the SDK gets marks for. */
  readonly longTexts: LongTexts;
  nextCall(): CallMemory;
}

/** Keeps the memory of a request for its calls. */
export function rememberMemory(request: Request, memory: RequestMemory): void {
  memoryByRequest.set(request, memory);
}

/** Returns the memory of a call that an HTTP request makes. */
export const memoryOfRequest: NonNullable<ServerRequest["memoryOf"]> = ({ request, signal }) =>
  request && memoryByRequest.get(request)?.nextCall().endOn(signal);

/**
 * Lets marks stand for the long texts of a transport's answers, since the SDK would copy the texts several times.
 * `sendFetchResponse` puts them back. A server must be connected to the transport already.
 */
export function takeLongTexts(transport: Transport): void {
  const open = new Map<RequestId, LongTexts>();
  const followed = new WeakSet<Request>();
  const forgetAfter = (request: Request, longTexts: LongTexts): void => {
    // The calls of a batch have one request.
    if (followed.has(request)) return;
    followed.add(request);
    request.signal.addEventListener("abort", () => {
      for (const [id, texts] of open) if (texts === longTexts) open.delete(id);
    });
  };
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const { request } = extra ?? {};
    const { longTexts } = (request && memoryByRequest.get(request)) ?? {};
    if (isRequest(message) && request !== undefined && longTexts !== undefined) {
      open.set(message.id, longTexts);
      forgetAfter(request, longTexts);
    }
    onmessage?.(message, extra);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const longTexts = "result" in message ? open.get(message.id) : undefined;
    return send(longTexts?.takeFrom(message) ?? message, options);
  };
}

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
        onConnect(mcp, (transport) => {
          takeLongTexts(transport);
          if (observer !== undefined) observe(transport, observer, request, era);
        });
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
export function requestCapabilities({
  definition,
  legacyCapabilities,
}: Engine): ServerCapabilities {
  return definition.quietCapabilities?.(legacyCapabilities) ?? legacyCapabilities;
}

/** Calls back with the transport of the single request of an SDK server, once they are connected. */
function onConnect({ server }: McpServer, connected: (transport: Transport) => void): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    connected(transport);
  };
}

/** Observes the single request of a transport. Lasting connections are observed where their transport is made. */
function observe(
  transport: Transport,
  observer: RequestObserver,
  request: Request,
  era: Era,
): void {
  const startedAt = claimArrival(request);
  observeTransport(transport, observer, { transport: "http", era, startedAt: () => startedAt });
}

/** Returns the time when a request had arrived; undefined at each later call for the same request. */
export function claimArrival(request: Request): number | undefined {
  const data = dataByRequest.get(request);
  const startedAt = data?.startedAt;
  if (data !== undefined) data.startedAt = undefined;
  return startedAt;
}
