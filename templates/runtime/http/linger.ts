import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How long a refused client may pause while it sends, in milliseconds. */
const pauseMs = 1_000;

/** A refused client may send so many times the longest body. */
const bodies = 4;

/** Whether a request says that it has a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Ends a written answer when its request has arrived whole. The rest of the request is dropped: a client that
 * still sends would lose the answer if the connection were closed. A client that sends too much, or pauses
 * for long, is cut off; the listener limits the time of every request.
 * @param bodyBytes Longest body of a request that is not refused.
 */
export function endWhenReceived(response: ServerResponse, bodyBytes: number): void {
  const { req: request } = response;
  if (request.complete || request.destroyed || !hasBody(request)) return void response.end();
  let left = bodies * bodyBytes;
  const cut = (): void => {
    request.off("data", discard);
    response.end();
    request.socket.destroySoon();
  };
  const timer = setTimeout(cut, pauseMs);
  const discard = (piece: Buffer): void => {
    left -= piece.length;
    if (left < 0) cut();
    else timer.refresh();
  };
  request.on("data", discard);
  request.once("end", () => {
    // The answer may wait behind others for long, but nothing of the request is waited for.
    clearTimeout(timer);
    response.end();
  });
  response.once("close", () => clearTimeout(timer));
}

/** Ends a connection with an answer that its client has a moment to read, also if it would never close its side. */
export function endConnection(socket: Duplex, answer: string): void {
  socket.on("error", () => undefined);
  socket.end(answer);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), pauseMs);
  socket.once("close", () => clearTimeout(timer));
}
