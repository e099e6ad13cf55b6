import { context, propagation, trace } from "@opentelemetry/api";
import type { RequestListener } from "../http/listener.js";

/**
 * Has what answers an HTTP request run below the span that the request's headers name, as W3C's Trace Context says it.
 * Where an instrumentation of the project has read them, its own span is active already.
 */
export function traceHeaders(answer: RequestListener): RequestListener {
  return (request, response) => {
    const active = context.active();
    if (trace.getSpan(active) !== undefined) return answer(request, response);
    const named = propagation.extract(active, request.headers);
    // A body is read by events, which know nothing of what was active when somebody began to listen.
    context.bind(named, request);
    context.with(named, () => answer(request, response));
  };
}
