import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { requestIdMember } from "../engine/request-parameters.js";
import type { RunningServer } from "../server/create-server.js";
import { isAnswer } from "./message-scopes.js";
import { Slots, type TakenSlot } from "./slots.js";

const slotsOf = new WeakMap<RunningServer, Slots>();

/**
 * Limits the questions of handlers that wait for answers of clients of the older eras. Such a question keeps
 * a call and its arguments in memory for minutes, and the limit of running handlers does not count it. All
 * connections of a server together may have `limits.concurrency` open questions. Beyond that, the holder with
 * most of them loses its oldest one. Its call fails as if the client had answered with an error.
 *
 * @param transport The transport of one client, which is connected to a server already.
 * @param holder The client's principal or address.
 */
export function limitQuestions(server: RunningServer, transport: Transport, holder: string): void {
  const slots = slotsOf.get(server) ?? new Slots(server.limits.concurrency);
  slotsOf.set(server, slots);
  const open = new Map<RequestId, TakenSlot>();
  const { onmessage, onclose } = transport;
  const close = (id: RequestId): void => {
    open.get(id)?.release();
    open.delete(id);
  };
  const fail = (id: RequestId): void => {
    close(id);
    const limit = server.refusals.exceed({ limit: "concurrency", address: holder });
    const message = `the server is busy, as too many questions wait for an answer (${limit})`;
    transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32000, message } });
  };
  transport.onmessage = (message, extra) => {
    if (isAnswer(message)) close(message.id);
    onmessage?.(message, extra);
  };
  transport.onclose = () => {
    for (const id of open.keys()) close(id);
    onclose?.();
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    const withdrawn = withdrawnQuestion(message);
    if (withdrawn !== undefined) close(withdrawn);
    if (!isJSONRPCRequest(message)) return send(message, options);
    const { id } = message;
    const slot = slots.take({ holder, end: () => fail(id) });
    if (slot === undefined) return fail(id);
    open.set(id, slot);
    return send(message, options);
  };
}

/** The id of the question that a message of the server withdraws; undefined for other messages. */
function withdrawnQuestion(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return;
  return requestIdMember(message.params, "requestId");
}
