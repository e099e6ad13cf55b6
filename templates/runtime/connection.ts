import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type McpServerFactory,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toAuthInfo, type Authentication } from "./authentication.js";
import type { RunningServer } from "./create-server.js";
import { defaultLimits } from "./limits.js";
import { sdkProblem } from "./errors.js";
import { cancelledRequest, observeTransport } from "./observed-transport.js";
import { Pending } from "./pending.js";
import type { TransportName } from "./request-observer.js";

/** How long the last answers may take to be written, in milliseconds. */
export const writeMs = 1_000;

/** One client, for as long as its transport is open. */
export interface Connection {
  /** The requests that the client still waits for; subscriptions, which wait for the end, are not among them. */
  readonly unanswered: Pending<RequestId>;
  /** Ends it, and the subscriptions that are open, but leaves unanswered what is not answered yet. */
  close(): Promise<void>;
}

/**
 * Serves a client on a transport of its own, in the era that the client's first message belongs to.
 * @param transport It is started here.
 * @param name The kind of transport, as the log names it.
 * @param caller Who is at the other end; undefined where nobody has to say who they are.
 */
export function serveConnection(
  server: RunningServer,
  transport: Transport,
  name: TransportName,
  unanswered = new Pending<RequestId>(),
  caller?: Authentication,
): Connection {
  const { definition, log, factory, observer } = server;
  const { subscriptions } = { ...defaultLimits, ...definition.limits };
  // The SDK's function for stdio takes any transport.
  const authInfo = caller && toAuthInfo(caller);
  const makeServer: McpServerFactory =
    authInfo === undefined ? factory : (request) => factory({ ...request, authInfo });
  const connection = serveStdio(makeServer, {
    transport,
    legacy: definition.protocol.legacy,
    maxSubscriptions: subscriptions,
    onerror: (error) => log.warning("protocol error", { error: sdkProblem(error) }),
  });
  trackRequests(transport, unanswered);
  if (observer !== undefined) observeTransport(transport, observer, { transport: name });
  return { unanswered, close: () => connection.close() };
}

/** Keeps account of the requests that the client still waits for. */
export function trackRequests(transport: Transport, unanswered: Pending<RequestId>): void {
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
