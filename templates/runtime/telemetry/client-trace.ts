import { context, propagation, type Context, type TextMapGetter } from "@opentelemetry/api";

/**
 * Reads the trace context that a client has sent. Values that are no strings are absent. Baggage is absent, too:
 * upstreams would take it for the server's own, and processors of spans may copy it to every span.
 */
const clientValues: TextMapGetter<Readonly<Record<string, unknown>>> = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => {
    const value = key !== "baggage" && Object.hasOwn(carrier, key) ? carrier[key] : undefined;
    return typeof value === "string" ? value : undefined;
  },
};

/**
 * The active context, in the trace that a client names.
 * @param carrier The headers of the client's request, or its `_meta`.
 */
export function clientTrace(carrier: Readonly<Record<string, unknown>>): Context {
  return propagation.extract(context.active(), carrier, clientValues);
}
