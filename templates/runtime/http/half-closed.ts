import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** How long after its latest request the end of a client's side may still belong to it, in milliseconds. */
const recentMs = 250;

/**
 * Longest time for which a client that has ended its side waits for its answers, in milliseconds. Nobody can tell it from a
 * client that is gone, whose call goes on until then.
 */
const halfOpenMs = 5_000;

/** What is known of the requests of a connection. */
export interface RequestTimes {
  /** When the headers of the latest request arrived, of a monotonic clock, in milliseconds. */
  readonly requestedAt: number;
  /** The number of requests that are not answered. */
  readonly unanswered: number;
  /** The latest request that is not answered. */
  readonly request: IncomingMessage | undefined;
}

/**
 * Answers clients that end their side of the connection right after their requests, as `nc` and shells do. Node would end
 * the other side, too, and drop answers that are not yet written. The end of an older request's connection is a client that
 * hangs up, and so is that of a stream, which has no last answer. Over TLS, clients do not end only their side.
 */
export function answerHalfClosed(
  listener: Server,
  timesOf: (socket: Socket) => RequestTimes | undefined,
): void {
  // With this, Node ends a connection after its last answer, or at once if none is due.
  Object.assign(listener, { httpAllowHalfOpen: true });
  listener.on("connection", (socket: Socket) => {
    socket.once("end", () => {
      const { requestedAt = 0, unanswered = 0, request } = timesOf(socket) ?? {};
      if (unanswered === 0) return;
      const isRecent = performance.now() - requestedAt <= recentMs;
      if (!isRecent || (request !== undefined && opensStream(request))) return void socket.end();
      const timer = setTimeout(() => socket.end(), halfOpenMs);
      socket.once("close", () => clearTimeout(timer));
    });
  });
}

/** Whether the answer to a request is a stream that ends only when its client leaves. */
function opensStream({ method, headers }: IncomingMessage): boolean {
  const isOfSession = method === "GET" && headers.accept?.includes("text/event-stream") === true;
  return isOfSession || headers["mcp-method"] === "subscriptions/listen";
}
