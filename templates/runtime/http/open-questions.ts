import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { defaultLimits } from "../engine/limits.js";
import type { RunningServer } from "../server/create-server.js";
import { Slots, type TakenSlot } from "./slots.js";

const slotsOf = new WeakMap<RunningServer, Slots>();

/**
 * Limits the questions of handlers that wait for the answers of clients of the older eras. Such a
 * question keeps a call and its arguments in memory for minutes, and the handler does not run
 * meanwhile, so the limit of handlers does not count it. All connections of a server together have
 * as many as `limits.concurrency` says. Beyond that, whoever has the most open questions loses the
 * oldest one: its call fails, as it does when a client answers with an error.
 *
 * @param transport One client's, which a server is connected to already.
 * @param holder Who the client is: a principal, or an address.
 */
export function limitQuestions(server: RunningServer, transport: Transport, holder: string): void {
  const { concurrency } = { ...defaultLimits, ...server.definition.limits };
  const slots = slotsOf.get(server) ?? new Slots(concurrency);
  slotsOf.set(server, slots);
  const open = new Map<RequestId, TakenSlot>();
  const { onmessage, onclose } = transport;
  const close = (id: RequestId): void => {
    open.get(id)?.release();
    open.delete(id);
  };
  const fail = (id: RequestId): void => {
    close(id);
    const message = "the server is busy, as too many questions wait for an answer";
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

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

/** Forgets a question that the server does not wait for any more: its time is over, or its call was cancelled. */
function withdrawnQuestion(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return;
  return message.params?.["requestId"] as RequestId | undefined;
}
