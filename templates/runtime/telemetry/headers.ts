import { context, trace } from "@opentelemetry/api";
import type { RequestListener } from "../http/listener.js";
import { clientTrace } from "./client-trace.js";

/**
 * Answers an HTTP request within the trace that its headers name, in the format of W3C Trace Context. If an
 * instrumentation of the project has read the headers, its own span is active already and stays so.
 */
export function traceHeaders(answer: RequestListener): RequestListener {
  return (request, response) => {
    if (trace.getActiveSpan() !== undefined) return answer(request, response);
    const remoteContext = clientTrace(request.headers);
    // Listeners of the request's events, which read its body, would otherwise lose the active context.
    context.bind(remoteContext, request);
    context.with(remoteContext, () => answer(request, response));
  };
}
