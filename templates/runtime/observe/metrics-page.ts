import type { HttpGate } from "../http/gate.js";
import { sendPage } from "../http/pages.js";
import type { Page } from "../http/transport.js";
import type { RunningServer } from "../server/create-server.js";

declare module "../http/transport.js" {
  interface Metrics {
    /** A figure that only grows, read when the page is. */
    counter(name: string, help: string, read: () => number, labels?: MetricLabels): void;
    /** All figures, in the text format of Prometheus. */
    page(): string;
  }
}

const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** Shows the server's metrics to whoever may call the server. */
export function metricsPage(gate: HttpGate, { metrics }: RunningServer): Page {
  return (request, response) => {
    if (!gate.admits(request, response, ["GET", "HEAD"])) return;
    const show = (): void => sendPage(request, response, 200, contentType, metrics?.page() ?? "");
    if (gate.isOpen) return show();
    void gate.callerOf(request, response).then((caller) => {
      if (caller !== null && !response.destroyed) show();
    });
  };
}
