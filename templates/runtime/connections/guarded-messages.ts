import type { Transport } from "@modelcontextprotocol/server";
import { unforeseenError } from "../engine/errors.js";
import { answerToRefused } from "../engine/protocol-errors.js";
import type { Logger } from "../observe/log.js";

/**
 * Handles a message of a client, or a JSON value that is none. If that throws, the error is logged, and the sender
 * of a request gets an internal error. The connection and the process go on.
 */
export function handleMessage(
  value: unknown,
  transport: Pick<Transport, "send">,
  log: Logger,
  handle: () => void,
): void {
  try {
    handle();
  } catch (thrown) {
    const { code, message } = unforeseenError(thrown, log, "message failed");
    const answer = answerToRefused(value, { code, message });
    if (answer !== undefined) transport.send(answer).catch(() => undefined);
  }
}

/** Makes a transport handle its messages with {@link handleMessage}. A server must be connected to it already. */
export function guardMessages(transport: Transport, log: Logger): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) =>
    handleMessage(message, transport, log, () => onmessage?.(message, extra));
}
