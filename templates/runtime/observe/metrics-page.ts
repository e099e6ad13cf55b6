import type { HttpGate } from "../http/gate.js";
import { sendPage } from "../http/pages.js";
import type { Page } from "../http/transport.js";
import type { RunningServer } from "../server/create-server.js";

declare module "../http/transport.js" {
  interface Metrics {
    /** Adds a metric that only grows. `read` is called whenever the page is requested. */
    counter(name: string, help: string, read: () => number, labels?: MetricLabels): void;
    /** All metrics, in the text format of Prometheus. */
    page(): string;
  }
}

const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** Makes the page of metrics. Only callers who may use the server can read it. */
export function metricsPage(gate: HttpGate, { metrics }: RunningServer): Page {
  return (request, response) => {
    if (!gate.admitOrRefuse(request, response, ["GET", "HEAD"])) return;
    const show = (): void => sendPage(request, response, 200, contentType, metrics?.page() ?? "");
    if (gate.isOpen) return show();
    return gate.identifyOrRefuse(request, response).then((sender) => {
      if (sender.kind !== "refused" && !response.destroyed) show();
    });
  };
}
