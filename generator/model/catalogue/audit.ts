import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about `audit`: the records of calls. */

export const durableWithoutFile = defineDiagnostic({
  code: "MW2109",
  message: () => "audit.durable needs audit.to, the variable with the path of a file",
});
