import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How long a refused client may pause while it sends, in milliseconds. */
const pauseMs = 1_000;

/** A refused client may send this many times the longest body. */
const maxBodyLengths = 4;

/** Whether the headers of a request declare a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Ends a written answer when its request has arrived completely. The rest of the request is dropped. If the
 * connection were closed earlier, a client that still sends would lose the answer. A client that sends too
 * much, or pauses for long, is disconnected. The listener limits the time of every request.
 * @param bodyBytes Longest body of a request that is not refused.
 */
export function endWhenReceived(response: ServerResponse, bodyBytes: number): void {
  const { req: request } = response;
  if (request.complete || request.destroyed || !hasBody(request)) return void response.end();
  let remainingBytes = maxBodyLengths * bodyBytes;
  const disconnect = (): void => {
    request.off("data", discard);
    response.end();
    request.socket.destroySoon();
  };
  const timer = setTimeout(disconnect, pauseMs);
  const discard = (chunk: Buffer): void => {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) disconnect();
    else timer.refresh();
  };
  request.on("data", discard);
  request.once("end", () => {
    // The answer may wait behind others for long, but the request is complete.
    clearTimeout(timer);
    response.end();
  });
  response.once("close", () => clearTimeout(timer));
}

const ending = new WeakSet<Duplex>();

/** Whether a connection is being ended, so that its further requests get no answer. */
export function isEnding(socket: Duplex): boolean {
  return ending.has(socket);
}

/** Ends a response that is the last of its connection. Later requests get no answer. */
export function endWithConnection(response: ServerResponse, body: string): void {
  const { socket } = response.req;
  ending.add(socket);
  // The response may wait behind others. The connection is ended after it, and not when the client has sent all.
  response.write(body, () => endConnection(socket, ""));
}

/** Ends a connection with an answer. A client that does not close its side is disconnected after `pauseMs`. */
export function endConnection(socket: Duplex, answer: string): void {
  ending.add(socket);
  socket.on("error", () => undefined);
  socket.end(answer);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), pauseMs);
  socket.once("close", () => clearTimeout(timer));
}
