import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  PROTOCOL_VERSION_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Era } from "../context/context.js";
import { isObject } from "../engine/request-parameters.js";
import {
  outcomeOf,
  type Observation,
  type Outcome,
  type RequestObserver,
  type TransportName,
} from "../observe/request-observer.js";

/** What is known of the requests of a transport beside what they say themselves. */
export interface Observed {
  readonly transport: TransportName;
  /** The era of all requests; where it is absent, each says it itself. */
  readonly era?: Era;
  /** When a request had arrived, by `performance.now()`; by default, when it is handed over. */
  readonly since?: (id: RequestId) => number | undefined;
}

/** Observes the requests that come through a transport, which a server is connected to already. */
export function observeTransport(
  transport: Transport,
  observer: RequestObserver,
  { transport: name, era, since }: Observed,
): void {
  const open = new Map<RequestId, Observation>();
  const end = (id: RequestId, outcome: Outcome, code?: number): void => {
    open.get(id)?.end(outcome, code);
    open.delete(id);
  };
  const { onmessage, onclose } = transport;
  transport.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) {
      // A client that gives an id twice gets one of its answers for the other's.
      open.get(message.id)?.end("cancelled");
      const begun = observer.begin(message, name, era ?? eraOf(message), since?.(message.id));
      if (begun !== undefined) open.set(message.id, begun);
    }
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) end(cancelled, "cancelled");
    onmessage?.(message, extra);
  };
  transport.onclose = () => {
    for (const observation of open.values()) observation.end("cancelled");
    open.clear();
    onclose?.();
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    // Not when it has been sent: a transport that serves one request is closed by then.
    if (isJSONRPCResultResponse(message)) {
      end(message.id, outcomeOf(message.result));
    } else if (isJSONRPCErrorResponse(message) && message.id !== undefined) {
      end(message.id, "error", message.error.code);
    }
    return sent;
  };
}

function eraOf({ params }: JSONRPCRequest): Era {
  const { _meta: meta } = params ?? {};
  return isObject(meta) && PROTOCOL_VERSION_META_KEY in meta ? "modern" : "legacy";
}

/** The request that a message takes back; it gets no answer any more. */
export function cancelledRequest(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") {
    return undefined;
  }
  return message.params?.["requestId"] as RequestId | undefined;
}
