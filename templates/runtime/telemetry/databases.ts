import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { DatabaseConnections, TraceStatements } from "../databases/definition.js";

/** Makes a span for each statement. It leaves the text out, since handlers may have written values into it. */
export const traceStatements: TraceStatements = (connections, { name, type }) => {
  const tracer = trace.getTracer("databases");
  const attributes = { "db.system.name": type === "postgres" ? "postgresql" : type };
  const run: DatabaseConnections["run"] = async (statement, signal) => {
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
    try {
      const result = await connections.run(statement, signal);
      span.setAttribute("db.response.returned_rows", result.rows.length);
      return result;
    } catch (error) {
      span.setAttribute("error.type", error instanceof Error ? error.name : "error");
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
  return { run, check: () => connections.check(), close: () => connections.close() };
};
