import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { TraceRequest } from "../upstreams/messages.js";

/**
 * Makes a span for each request to an upstream, and sends the span's id along. The span has neither path nor query,
 * since they contain arguments.
 */
export const traceRequest: TraceRequest = async (name, request, send, acting) => {
  const { hostname, port } = new URL(request.origin);
  const tracer = trace.getTracer("upstreams");
  const attributes = {
    "http.request.method": request.method,
    "server.address": hostname,
    ...(port !== "" && { "server.port": Number(port) }),
    "peer.service": name,
    ...(acting !== undefined && {
      "mcpwright.actor": acting.actor,
      "mcpwright.subject": acting.subject,
    }),
  };
  const span = tracer.startSpan(request.method, { kind: SpanKind.CLIENT, attributes });
  const headers = { ...request.headers };
  propagation.inject(trace.setSpan(context.active(), span), headers);
  try {
    const answer = await send({ ...request, headers });
    span.setAttribute("http.response.status_code", answer.status);
    if (answer.status >= 400) {
      span.setAttribute("error.type", String(answer.status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    return answer;
  } catch (error) {
    span.setAttribute("error.type", error instanceof Error ? error.name : "error");
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
};
