import type { ObservedRequest, TransportName } from "./request-observer.js";

/** Sets one reading of a figure apart from others of the same name. */
export type MetricLabels = Readonly<Record<string, string>>;

/** The figures of a server, for a monitoring system that reads a page of them now and then. */
export interface Metrics {
  /** Counts a request that is over. */
  observe(request: ObservedRequest): void;
  /** A figure that goes up and down, read when the page is. */
  gauge(name: string, help: string, read: () => number, labels?: MetricLabels): void;
  /** A figure that only grows, read when the page is. */
  counter(name: string, help: string, read: () => number, labels?: MetricLabels): void;
  /** All figures, in the text format of Prometheus. */
  page(): string;
}

/** `createMetrics` of `metrics.ts`, in a project whose manifest asks for it. */
export type CreateMetrics = () => Metrics;

/** The gauge of the clients that stay connected through one transport. */
export function connectedClients(
  transport: TransportName,
  clients: { readonly size: number },
): Parameters<Metrics["gauge"]> {
  return ["mcp_server_clients", "Connected clients.", () => clients.size, { transport }];
}

/** The content type of a page of metrics. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8";
