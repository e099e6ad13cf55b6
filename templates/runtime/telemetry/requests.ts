import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from "@opentelemetry/api";
import type { Result } from "@modelcontextprotocol/server";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import type { ServerDefinition } from "../engine/definition.js";
import { ProtocolError } from "../engine/errors.js";
import { isObject, type RequestParameters } from "../engine/request-parameters.js";
import type { Caller } from "../context/context.js";
import type { Method, Methods } from "../engine/feature.js";
import { outcomeOf } from "../observe/request-observer.js";
import { clientTrace } from "./client-trace.js";

/** The longest id of a request that a span has. */
const maxIdLength = 128;

/**
 * Makes an OpenTelemetry span for each request, by the semantic conventions for MCP. Its parent is the span that
 * the client names in `_meta`, or else the active one. If the project starts no SDK, nothing is recorded.
 */
export function traceMethods(methods: Methods, { info }: ServerDefinition): Methods {
  const tracer = trace.getTracer(info.name, info.version);
  const tracedMethods = Object.entries(methods).map(([name, method]) => {
    const answer: Method["answer"] = (parameters, caller) => {
      const parent = parentOf(parameters);
      const entry = method.itemOf?.(parameters);
      const item = entry?.definition.name;
      const title = item === undefined ? name : `${name} ${item}`;
      const attributes = {
        ...attributesOf(name, item, caller),
        ...(entry?.deprecated !== undefined && { "mcpwright.deprecated": true }),
      };
      const span = tracer.startSpan(title, { kind: SpanKind.SERVER, attributes }, parent);
      return context.with(trace.setSpan(parent, span), () =>
        answerInSpan(span, caller, () => method.answer(parameters, caller)),
      );
    };
    return [name, { ...method, answer }] as const;
  });
  return Object.fromEntries(tracedMethods);
}

/** The context of the client's span, which `_meta` names in the format of W3C Trace Context. */
function parentOf({ _meta: meta }: RequestParameters): Context {
  return isObject(meta) ? clientTrace(meta) : context.active();
}

function attributesOf(method: string, item: string | undefined, caller: Caller): Attributes {
  const requestId = String(caller.requestId);
  const toolAttributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": item };
  return {
    "mcp.method.name": method,
    // A part of a longer id would keep the whole id in memory until the span is exported.
    ...(requestId.length <= maxIdLength && { "jsonrpc.request.id": requestId }),
    ...(method === "tools/call" && item !== undefined && toolAttributes),
    ...(method === "prompts/get" && item !== undefined && { "gen_ai.prompt.name": item }),
  };
}

/** Runs a request and ends its span. Errors of handlers are not recorded, since they may contain secrets. */
function answerInSpan(
  span: Span,
  caller: Caller,
  answer: () => Awaitable<Result>,
): Awaitable<Result> {
  const end = (): void => {
    const { consent } = caller;
    if (consent !== undefined) span.setAttribute("mcpwright.consent", consent);
    span.end();
  };
  return recover(
    () =>
      after(answer(), (result) => {
        if (outcomeOf(result) === "tool_error") fail(span, "tool_error");
        end();
        return result;
      }),
    (error) => {
      const code = error instanceof ProtocolError ? String(error.code) : undefined;
      if (code !== undefined) span.setAttribute("rpc.response.status_code", code);
      fail(span, code ?? "error");
      end();
      throw error;
    },
  );
}

function fail(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
