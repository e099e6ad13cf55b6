import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { cancelledRequest } from "../connections/observed-transport.js";
import type { Caller } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import { memberOf, textsMember } from "../engine/request-parameters.js";

/** The URIs of the resources that a `subscriptions/listen` request of 2026-07-28 names. */
export function watchedBy(request: unknown): readonly string[] {
  const filter = memberOf(memberOf(request, "params"), "notifications");
  return textsMember(filter, "resourceSubscriptions");
}

/** The test whether the resource at a URI is hidden from a caller; empty if the server hides none. */
export function hiddenFrom(
  { definition, methods }: Pick<Engine, "definition" | "methods">,
  caller: Partial<Caller>,
): { readonly isHidden?: (uri: string) => boolean } {
  const read = methods.get("resources/read");
  const { isHidden, whole } = definition;
  if (isHidden === undefined && whole === undefined) return {};
  // Where only a part of the items is served, what cannot be read may be one of the others.
  if (whole !== undefined) return { isHidden: (uri) => !read?.itemOf?.({ uri }, caller) };
  return {
    isHidden: (uri) =>
      read?.itemOf?.({ uri }, caller) === undefined && read?.itemOf?.({ uri }) !== undefined,
  };
}

/**
 * Returns a function that lists the URIs in the transport's `subscriptions/listen` requests that are open: not
 * cancelled and not answered. @param most The limit of such requests; the SDK refuses any beyond it.
 */
export function watchedThrough(transport: Transport, most: number): () => readonly string[] {
  const watched = new Map<RequestId, readonly string[]>();
  const { onmessage, onclose } = transport;
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
  transport.onclose = () => {
    watched.clear();
    onclose?.();
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined) watched.delete(message.id);
    return send(message, options);
  };
  return () => [...watched.values()].flat();
}
