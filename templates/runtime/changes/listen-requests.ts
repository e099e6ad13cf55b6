import type { RequestId, Transport } from "@modelcontextprotocol/server";
import { cancelledRequest } from "../connections/observed-transport.js";
import { isObject } from "../engine/request-parameters.js";

/** The URIs of the resources that a `subscriptions/listen` request of 2026-07-28 names. */
export function watchedBy(request: unknown): readonly string[] {
  const params = isObject(request) ? request["params"] : undefined;
  const filter = isObject(params) ? params["notifications"] : undefined;
  const uris = isObject(filter) ? filter["resourceSubscriptions"] : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

/**
 * Returns a function that lists the URIs in the transport's `subscriptions/listen` requests that are not
 * cancelled. @param most The limit of such requests; the SDK refuses any beyond it.
 */
export function watchedThrough(transport: Transport, most: number): () => readonly string[] {
  const watched = new Map<RequestId, readonly string[]>();
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if (
      "method" in message &&
      message.method === "subscriptions/listen" &&
      "id" in message &&
      watched.size < most
    ) {
      watched.set(message.id, watchedBy(message));
    }
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) watched.delete(cancelled);
    onmessage?.(message, extra);
  };
  return () => [...watched.values()].flat();
}
