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
import { isObject, requestIdMember } from "../engine/request-parameters.js";
import {
  outcomeOf,
  type Observation,
  type Outcome,
  type RequestObserver,
  type TransportName,
} from "../observe/request-observer.js";

/** What an observer learns of the requests of a transport besides their messages. */
export interface ObservedTransport {
  readonly transport: TransportName;
  /** The era of all requests; if absent, the metadata of each request decides. */
  readonly era?: Era;
  /** When a request arrived, by `performance.now()`; by default, when the transport delivers it. */
  readonly startedAt?: (id: RequestId) => number | undefined;
}

/** Observes the requests of a transport. A server must be connected to it already. */
export function observeTransport(
  transport: Transport,
  observer: RequestObserver,
  { transport: name, era, startedAt }: ObservedTransport,
): void {
  const open = new Map<RequestId, Observation>();
  const end = (id: RequestId, outcome: Outcome, code?: number): void => {
    open.get(id)?.end(outcome, code);
    open.delete(id);
  };
  const { onmessage, onclose } = transport;
  transport.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) {
      // The client has used this id before: only one of its two requests can still be observed.
      open.get(message.id)?.end("cancelled");
      const observation = observer.begin(
        message,
        name,
        era ?? eraOf(message),
        startedAt?.(message.id),
      );
      if (observation !== undefined) open.set(message.id, observation);
    }
    const cancelledId = cancelledRequest(message);
    if (cancelledId !== undefined) end(cancelledId, "cancelled");
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
    // Ended before `sent` resolves, because a transport for one request is closed by then.
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

/** The id of the request that a message cancels; undefined if it is no cancellation. */
export function cancelledRequest(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") {
    return undefined;
  }
  return requestIdMember(message.params, "requestId");
}
