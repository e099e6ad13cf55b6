import { defineRule } from "../rule.js";

/** Rules about what is written down of calls. */

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

export const auditGrew = defineRule<{ readonly what: string }>({
  id: "audit-grew",
  severity: "info",
  title: "more is written down of calls",
  explanation: {
    cause: "The audit trail holds more of what callers send than before.",
    example: { before: "audit: {arguments: names}", after: "audit: {arguments: values}" },
    fix: "Check that callers may expect it, and that whoever reads the trail may see it.",
  },
  message: ({ what }) => `${what} written down now`,
});

export const auditShrank = defineRule<{ readonly what: string }>({
  id: "audit-shrank",
  severity: "warning",
  title: "less is written down of calls",
  explanation: {
    cause: "The audit trail holds less than before, or no longer for certain.",
    example: { before: "audit: {arguments: values}", after: "audit: {arguments: names}" },
    fix: "Check that it is meant: somebody may rely on the trail.",
  },
  message: ({ what }) => what,
});
