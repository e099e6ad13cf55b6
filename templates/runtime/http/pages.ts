import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpGate } from "./gate.js";
import { metricsContentType, type Metrics } from "../observe/metrics-page.js";
import type { Page } from "../start/transport.js";

/** Says whether the server is up. Whoever asks may name any host: load balancers name an address. */
export function healthPage(gate: HttpGate): Page {
  return (request, response) => {
    if (!isRead(request)) return refuseMethod(gate, request, response);
    const [status, word] = gate.isStopping ? [503, "stopping"] : [200, "ok"];
    send(request, response, status, "application/json", JSON.stringify({ status: word }));
  };
}

/** Shows the server's metrics to whoever may call the server. */
export function metricsPage(gate: HttpGate, metrics: Metrics): Page {
  return (request, response) => {
    if (!gate.admits(request, response, ["GET", "HEAD"])) return;
    const show = (): void => send(request, response, 200, metricsContentType, metrics.page());
    if (gate.isOpen) return show();
    void gate.callerOf(request, response).then((caller) => {
      if (caller !== null && !response.destroyed) show();
    });
  };
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

function refuseMethod(gate: HttpGate, request: IncomingMessage, response: ServerResponse): void {
  gate.sendError(request, response, 405, "Method not allowed", { allow: "GET, HEAD" });
}

function send(
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
