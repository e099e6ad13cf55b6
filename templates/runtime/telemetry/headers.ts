import type { EventEmitter } from "node:events";
import { context, trace } from "@opentelemetry/api";
import type { RequestHeaders } from "../http/request-head.js";
import { clientTrace } from "./client-trace.js";

/**
 * Answers an HTTP request within the trace that its headers name, in the format of W3C Trace Context. If an
 * instrumentation of the project has read the headers, its own span is active already and stays so.
 * @param request The request of Node.js, whose listeners read its body and would otherwise lose the active context.
 */
export function traceHeaders<Answer>(
  headers: RequestHeaders,
  answer: () => Answer,
  request?: EventEmitter,
): Answer {
  if (trace.getActiveSpan() !== undefined) return answer();
  const remoteContext = clientTrace(headers);
  if (request !== undefined) context.bind(remoteContext, request);
  return context.with(remoteContext, answer);
}
