import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpGate } from "./node-gate.js";
import type { RunningServer } from "../server/create-server.js";
import type { Page } from "./transport.js";

/**
 * Reports whether the server is up and can use all of its items. Requests may name any host, since load
 * balancers use an address.
 */
export function healthPage(gate: HttpGate, { brokenItems }: RunningServer): Page {
  return (request, response) => {
    if (!isRead(request)) return refuseMethod(gate, request, response);
    const problem = gate.isStopping ? "stopping" : brokenItems.size > 0 ? "broken" : undefined;
    sendStatus(request, response, problem);
  };
}

/** Sends a JSON object whose `status` is the problem, or `ok`. */
export function sendStatus(
  request: IncomingMessage,
  response: ServerResponse,
  problem: string | undefined,
): void {
  const body = JSON.stringify({ status: problem ?? "ok" });
  sendPage(request, response, problem === undefined ? 200 : 503, "application/json", body);
}

export function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

export function refuseMethod(
  gate: HttpGate,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const headers = { allow: "GET, HEAD" };
  gate.sendError(request, response, { status: 405, message: "Method not allowed", headers });
}

/** Sends a page of text that must not be cached. */
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
