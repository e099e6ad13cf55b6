import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type AuthInfo,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { RunningServer } from "../server/create-server.js";
import { defaultLimits } from "../engine/limits.js";
import { sdkProblem } from "../engine/errors.js";
import { cancelledRequest, observeTransport } from "./observed-transport.js";
import type { HandledRequests } from "./handled-requests.js";
import { WaitGroup } from "../engine/wait-group.js";
import type { TransportName } from "../observe/request-observer.js";
import type { ServerRequest } from "../server/requests.js";

/** One client, for as long as its transport is open. */
export interface Connection {
  /** The requests that the client still waits for, without subscriptions: these are answered at the end. */
  readonly unanswered: WaitGroup<RequestId>;
  /** Ends the connection and its subscriptions. Requests that are not answered yet get no answer. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Collects the requests that the client still waits for. */
  readonly unanswered?: WaitGroup<RequestId>;
  /** What the SDK is told of the client. */
  readonly authInfo?: AuthInfo | undefined;
  /** The principal or address to which the connection belongs; absent where there is only one client. */
  readonly holder?: string;
  /** The client's network address, where something records it. */
  readonly address?: string | undefined;
  /** Messages that were answered before the SDK was loaded. The SDK gets them first, and its answers are dropped. */
  readonly earlierMessages?: readonly JSONRPCMessage[];
  /** The results of requests whose handlers have run before the SDK sees them. */
  readonly handled?: HandledRequests;
}

/**
 * Serves a client on a transport of its own, in the era that the client's first message belongs to.
 * @param transport It is started here.
 * @param name The kind of transport, as the log names it.
 */
export function serveConnection(
  server: RunningServer,
  transport: Transport,
  name: TransportName,
  {
    unanswered = new WaitGroup<RequestId>(),
    authInfo,
    holder,
    address,
    earlierMessages = [],
    handled,
  }: ConnectionOptions = {},
): Connection {
  const { definition, log, factory, observer, live } = server;
  const { subscriptions } = { ...defaultLimits, ...definition.limits };
  // The function that the SDK has for stdio takes any transport.
  const makeServer = (request: ServerRequest): ReturnType<typeof factory> =>
    factory({
      ...{ ...request, address },
      ...(watched && { watched }),
      ...(authInfo && { authInfo }),
      ...(handled && { handled }),
      ...(holder !== undefined && { holder }),
    });
  const connection = serveStdio(makeServer, {
    transport,
    legacy: definition.protocol.legacy,
    maxSubscriptions: subscriptions,
    onerror: (error) => log.warning("protocol error", { error: sdkProblem(error) }),
  });
  // After the SDK, which reads the transport from now on.
  const watched = live?.watchedThrough(transport, subscriptions);
  replay(transport, earlierMessages);
  trackRequests(transport, unanswered);
  const since = (id: RequestId): number | undefined => handled?.arrivalOf(id);
  if (observer !== undefined) observeTransport(transport, observer, { transport: name, since });
  return { unanswered, close: () => connection.close() };
}

/** Gives the SDK the messages that were answered without it, and drops its answers to them. */
function replay(transport: Transport, earlierMessages: readonly JSONRPCMessage[]): void {
  const answered = earlierMessages.filter(isJSONRPCRequest).map(({ id }) => id);
  if (answered.length > 0) {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
      const index = isAnswer ? answered.indexOf(message.id as RequestId) : -1;
      if (index === -1) return send(message, options);
      answered.splice(index, 1);
    };
  }
  for (const message of earlierMessages) transport.onmessage?.(message);
}

/** Adds requests when they arrive, and removes them when they are answered or cancelled. */
export function trackRequests(transport: Transport, unanswered: WaitGroup<RequestId>): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if (isAnsweredSoon(message)) unanswered.add(message.id);
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) unanswered.delete(cancelled);
    onmessage?.(message, extra);
  };
  const { onclose } = transport;
  transport.onclose = () => {
    for (const id of unanswered) unanswered.delete(id);
    onclose?.();
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    try {
      await send(message, options);
    } finally {
      const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
      if (isAnswer && message.id !== undefined) unanswered.delete(message.id);
    }
  };
}

/** Subscriptions are answered only when the connection ends. */
function isAnsweredSoon(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return isJSONRPCRequest(message) && message.method !== "subscriptions/listen";
}
