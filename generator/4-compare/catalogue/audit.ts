import { defineRule } from "../rule.js";

/** Rules about the audit trail and about traces. */

export const auditEnded = defineRule({
  id: "audit-ended",
  severity: "warning",
  title: "calls are not written down any more",
  explanation: {
    cause: "Without `audit`, nothing says afterwards who called what.",
    example: { before: "audit: {arguments: names}", after: "" },
    fix: "Check that it is meant: somebody may rely on the trail.",
  },
  message: () => "calls are not written down any more",
});

/** `subject`: a noun with its verb, such as "each call is". */
export const auditGrew = defineRule<{ readonly subject: string }>({
  id: "audit-grew",
  severity: "info",
  title: "more is written down of calls",
  explanation: {
    cause: "The audit trail holds more of what callers send than before.",
    example: { before: "audit: {arguments: names}", after: "audit: {arguments: values}" },
    fix: "Check that callers may expect it, and that whoever reads the trail may see it.",
  },
  message: ({ subject }) => `${subject} written down now`,
});

export const auditShrank = defineRule<{ readonly message: string }>({
  id: "audit-shrank",
  severity: "warning",
  title: "less is written down of calls",
  explanation: {
    cause: "The audit trail holds less than before, or no longer for certain.",
    example: { before: "audit: {arguments: values}", after: "audit: {arguments: names}" },
    fix: "Check that it is meant: somebody may rely on the trail.",
  },
  message: ({ message }) => message,
});

export const tracesEnded = defineRule({
  id: "traces-ended",
  severity: "warning",
  title: "requests are no spans any more",
  explanation: {
    cause: "Without `telemetry`, a trace of a caller ends where it meets the server.",
    example: { before: "telemetry: true", after: "" },
    fix: "Check that it is meant: somebody may watch the traces, or be called by what they show.",
  },
  message: () => "requests are no spans of OpenTelemetry any more",
});

export const tracesStarted = defineRule({
  id: "traces-started",
  severity: "info",
  title: "requests are spans now",
  explanation: {
    cause:
      "With `telemetry`, requests, calls of upstreams and statements are spans, and upstreams get the header `traceparent`.",
    example: { before: "", after: "telemetry: true" },
    fix: "Start OpenTelemetry's SDK as the project's README shows: without it there are no spans.",
  },
  message: () => "requests are spans of OpenTelemetry now",
});
