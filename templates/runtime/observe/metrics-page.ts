import type { Authentication } from "../authentication/authentication.js";
import { after, type Awaitable } from "../engine/awaitable.js";
import type { HttpGate } from "../http/node-gate.js";
import { sendPage } from "../http/pages.js";
import type { Page } from "../http/transport.js";
import type { RunningServer } from "../server/create-server.js";
const contentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Makes the page of metrics. Only callers who may use the server can read it, and it names to each only the items
 * that the caller may use.
 */
export function metricsPage(gate: HttpGate, server: RunningServer): Page {
  return pageOfMetrics(gate, server, (mayKnow) => server.metrics?.page(mayKnow) ?? "");
}

/** Makes the page of metrics that `read` returns. @param read gets whether the reader may know an item */
export function pageOfMetrics(
  gate: HttpGate,
  { access }: RunningServer,
  read: (mayKnow: (name: string) => boolean) => Awaitable<string>,
): Page {
  return (request, response) => {
    if (!gate.admitOrRefuse(request, response, ["GET", "HEAD"])) return;
    const show = (caller?: Authentication): Awaitable<void> =>
      after(
        read((name) => access?.mayKnow(name, caller) ?? true),
        (page) => {
          if (!response.destroyed) sendPage(request, response, 200, contentType, page);
        },
      );
    if (gate.isOpen) return show();
    return gate.identifyOrRefuse(request, response).then((sender) => {
      if (sender.kind !== "refused" && !response.destroyed) return show(sender.caller);
    });
  };
}
