import { defineRule } from "../../model/semantic-rule.js";

/** Rules about the audit trail and about traces. */

export const auditEnded = defineRule({
  id: "audit-ended",
  severity: "warning",
  message: () => "calls are not written down any more",
});

/** `subject`: a noun with its verb, such as "each call is". */
export const auditGrew = defineRule<{ readonly subject: string }>({
  id: "audit-grew",
  severity: "info",
  message: ({ subject }) => `${subject} written down now`,
});

export const auditShrank = defineRule<{ readonly message: string }>({
  id: "audit-shrank",
  severity: "warning",
  message: ({ message }) => message,
});

export const tracesEnded = defineRule({
  id: "traces-ended",
  severity: "warning",
  message: () => "requests are no spans of OpenTelemetry any more",
});

export const tracesStarted = defineRule({
  id: "traces-started",
  severity: "info",
  message: () => "requests are spans of OpenTelemetry now",
});
