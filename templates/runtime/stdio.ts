import { once } from "node:events";
import { Readable, type Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import { serveStdio as serveSdk, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { Pending } from "./pending.js";
import { printable } from "./printable.js";
import { drainMs, type ServeStdio } from "./transport.js";

/** How long the last answers may take to be written, in milliseconds. */
const writeMs = 1_000;

/** Serves one client on stdin and the given output. */
export const serveStdio: ServeStdio = (server, output, onEnd) => {
  const unanswered = new Pending<RequestId>();
  const input = Readable.from(untilAnswered(process.stdin, unanswered));
  const transport = new StdioServerTransport(input, output);
  const connection = serveSdk(server.factory, {
    transport,
    legacy: server.definition.protocol.legacy,
    onerror: (error) =>
      server.log.warning("protocol error", { error: printable(error.message, 500) }),
  });
  trackRequests(transport, unanswered);
  const closeConnection = transport.onclose;
  transport.onclose = () => {
    closeConnection?.();
    onEnd();
  };
  return {
    close: async () => {
      await server.drain(drainMs);
      await unanswered.doneWithin(writeMs);
      await connection.close();
      await flush(output);
    },
  };
};

/**
 * What stdin holds, and then nothing until every request is answered: the SDK aborts what runs as
 * soon as its input ends.
 */
async function* untilAnswered(
  stdin: Readable,
  unanswered: Pending<RequestId>,
): AsyncGenerator<Buffer> {
  yield* stdin as AsyncIterable<Buffer>;
  await unanswered.doneWithin(drainMs);
}

/** Keeps account of the requests that the client still waits for. */
function trackRequests(transport: StdioServerTransport, unanswered: Pending<RequestId>): void {
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    if (isAnsweredSoon(message)) unanswered.add(message.id);
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) unanswered.delete(cancelled);
    onmessage?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    try {
      await send(message);
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

/** The request that a message takes back; it gets no answer any more. */
function cancelledRequest(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") {
    return undefined;
  }
  return message.params?.["requestId"] as RequestId | undefined;
}

/** Resolves when all that was written has left the process, or the client takes no more of it. */
async function flush(output: Writable): Promise<void> {
  if (output.destroyed) return;
  const closed = once(output, "close").catch(() => undefined);
  output.end();
  await Promise.race([closed, delay(writeMs)]);
}
