import type { Authentication } from "../authentication/authentication.js";
import type { HttpGate } from "../http/node-gate.js";
import { sendPage } from "../http/pages.js";
import type { Page } from "../http/transport.js";
import type { RunningServer } from "../server/create-server.js";
const contentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Makes the page of metrics. Only callers who may use the server can read it, and it names to each only the items
 * that the caller may use.
 */
export function metricsPage(gate: HttpGate, { metrics, access }: RunningServer): Page {
  return (request, response) => {
    if (!gate.admitOrRefuse(request, response, ["GET", "HEAD"])) return;
    const show = (caller?: Authentication): void => {
      const page = metrics?.page((name) => access?.mayKnow(name, caller) ?? true);
      sendPage(request, response, 200, contentType, page ?? "");
    };
    if (gate.isOpen) return show();
    return gate.identifyOrRefuse(request, response).then((sender) => {
      if (sender.kind !== "refused" && !response.destroyed) show(sender.caller);
    });
  };
}
