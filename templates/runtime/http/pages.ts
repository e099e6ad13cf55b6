import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpGate } from "./gate.js";
import type { Page } from "./transport.js";

/** Says whether the server is up. Whoever asks may name any host: load balancers name an address. */
export function healthPage(gate: HttpGate): Page {
  return (request, response) => {
    if (!isRead(request)) return refuseMethod(gate, request, response);
    const [status, word] = gate.isStopping ? [503, "stopping"] : [200, "ok"];
    sendPage(request, response, status, "application/json", JSON.stringify({ status: word }));
  };
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

function refuseMethod(gate: HttpGate, request: IncomingMessage, response: ServerResponse): void {
  gate.sendError(request, response, 405, "Method not allowed", { allow: "GET, HEAD" });
}

/** Sends a page of text that nobody keeps. */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
