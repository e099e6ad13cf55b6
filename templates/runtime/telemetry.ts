/** Spans of OpenTelemetry for requests, and for what they ask. It needs the package `@opentelemetry/api`. */
import type { ServerPart } from "./server/server-part.js";
import { traceStatements } from "./telemetry/databases.js";
import { traceHeaders } from "./telemetry/headers.js";
import { traceMethods } from "./telemetry/requests.js";
import { traceRequest } from "./telemetry/upstreams.js";

/** Makes a span for each request, each statement and each request to an upstream. Without an SDK, nothing is recorded. */
export function telemetry(): ServerPart {
  return () => ({ traceMethods, traceHeaders, traceRequest, traceStatements });
}
