import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { unforeseenError } from "../engine/errors.js";
import type { Logger } from "../observe/log.js";

/**
 * Handles a message of a client. If that throws, the error is logged, and the sender of a request gets an
 * internal error. The connection and the process go on.
 */
export function handleMessage(
  message: JSONRPCMessage,
  transport: Pick<Transport, "send">,
  log: Logger,
  handle: (message: JSONRPCMessage) => void,
): void {
  try {
    handle(message);
  } catch (thrown) {
    const { code, message: text } = unforeseenError(thrown, log, "message failed");
    if (!isJSONRPCRequest(message)) return;
    const answer = { jsonrpc: "2.0", id: message.id, error: { code, message: text } } as const;
    transport.send(answer).catch(() => undefined);
  }
}

/** Makes a transport handle its messages with {@link handleMessage}. A server must be connected to it already. */
export function guardMessages(transport: Transport, log: Logger): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) =>
    handleMessage(message, transport, log, () => onmessage?.(message, extra));
}
