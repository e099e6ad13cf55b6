import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { RunningServer } from "../server/create-server.js";
import { sdkProblem } from "../engine/errors.js";
import { cancelledRequest, observeTransport } from "./observed-transport.js";
import { nameSubscriptionLimit } from "./subscription-limit.js";
import { guardMessages } from "./guarded-messages.js";
import type { HandledRequests } from "../fast-path/connection.js";
import { WaitGroup } from "../engine/wait-group.js";
import type { TransportName } from "../observe/request-observer.js";
import type { ServerRequest } from "../server/requests.js";

/** The connection of one client, until its transport closes. */
export interface Connection {
  /** The requests that are not answered yet, except subscriptions, which are answered when the connection ends. */
  readonly unanswered: WaitGroup<RequestId>;
  /** Ends the connection and its subscriptions. Requests that are not answered yet get no answer. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Where the connection keeps its unanswered requests; by default a group of its own. */
  readonly unanswered?: WaitGroup<RequestId>;
  /** What the transport knows of its client, such as the address. */
  readonly client?: Partial<ServerRequest>;
  /** Messages that were answered before the SDK was loaded. The SDK gets them first, and its answers are discarded. */
  readonly earlierMessages?: readonly JSONRPCMessage[];
  /** The results of requests whose handlers run before the SDK sees the request. */
  readonly handled?: HandledRequests;
}

/**
 * Serves one client on a transport, in the era of the client's first message. Starts the transport.
 * @param name the kind of transport, for the log
 */
export function serveConnection(
  server: RunningServer,
  transport: Transport,
  name: TransportName,
  {
    unanswered = new WaitGroup<RequestId>(),
    client,
    earlierMessages = [],
    handled,
  }: ConnectionOptions = {},
): Connection {
  const { definition, limits, log, factory, observer, facilities } = server;
  const addedMembers: Partial<ServerRequest> = { ...client, ...(handled && { handled }) };
  const makeServer = (request: ServerRequest): ReturnType<typeof factory> =>
    factory({ ...request, ...addedMembers });
  // `serveStdio` of the SDK accepts any transport.
  const connection = serveStdio(makeServer, {
    transport,
    legacy: definition.protocol.legacy,
    maxSubscriptions: limits.subscriptions,
    onerror: (error) => log.warning("protocol error", { error: sdkProblem(error) }),
  });
  // Must follow `serveStdio`, because it wraps the handlers that the SDK has set on the transport.
  for (const facility of facilities) {
    Object.assign(addedMembers, facility.attachTransport?.(transport));
  }
  nameSubscriptionLimit(transport, server.refusals, client?.holder);
  replay(transport, earlierMessages);
  trackRequests(transport, unanswered);
  const arrivalOf = (id: RequestId): number | undefined => handled?.arrivalOf(id);
  if (observer !== undefined) {
    observeTransport(transport, observer, { transport: name, startedAt: arrivalOf });
  }
  guardMessages(transport, log);
  return { unanswered, close: () => connection.close() };
}

/** Gives the SDK the messages that were answered without it, and discards its answers to them. */
function replay(transport: Transport, earlierMessages: readonly JSONRPCMessage[]): void {
  const answeredIds = earlierMessages.filter(isJSONRPCRequest).map(({ id }) => id);
  if (answeredIds.length > 0) {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
      const index = isAnswer ? answeredIds.indexOf(message.id as RequestId) : -1;
      if (index === -1) return send(message, options);
      answeredIds.splice(index, 1);
    };
  }
  for (const message of earlierMessages) transport.onmessage?.(message);
}

/** Adds requests to the group when they arrive, and removes them when they are answered or cancelled. */
export function trackRequests(transport: Transport, unanswered: WaitGroup<RequestId>): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if (isAnsweredSoon(message)) unanswered.add(message.id);
    const cancelledId = cancelledRequest(message);
    if (cancelledId !== undefined) unanswered.delete(cancelledId);
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
