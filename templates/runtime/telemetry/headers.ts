import { context, propagation, trace } from "@opentelemetry/api";
import type { RequestListener } from "../http/listener.js";

/**
 * Answers an HTTP request within the trace that its headers name, in the format of W3C Trace Context. If an
 * instrumentation of the project has read the headers, its own span is active already and stays so.
 */
export function traceHeaders(answer: RequestListener): RequestListener {
  return (request, response) => {
    const active = context.active();
    if (trace.getSpan(active) !== undefined) return answer(request, response);
    const remoteContext = propagation.extract(active, request.headers);
    // Listeners of the request's events, which read its body, would otherwise lose the active context.
    context.bind(remoteContext, request);
    context.with(remoteContext, () => answer(request, response));
  };
}
