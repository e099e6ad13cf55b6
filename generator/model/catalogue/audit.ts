import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about `audit`: the records of calls. */

export const durableWithoutFile = defineDiagnostic({
  code: "MW2109",
  severity: "error",
  title: "durable lines without a file",
  explanation: {
    cause:
      "`durable` has answers wait until their lines are on the disk, but the lines go to stderr, and nobody knows when what reads that has stored them.",
    example: "audit: {durable: true}",
    fix: "Name the variable with the path of a file: `to: {env: AUDIT_FILE}`, or remove `durable`.",
  },
  message: () => "audit.durable needs audit.to, the variable with the path of a file",
});
