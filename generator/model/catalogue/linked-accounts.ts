import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about accounts that callers link with upstreams. */

export const accountsWithoutPage = defineDiagnostic({
  code: "MW2250",
  message: () =>
    "perCaller needs the transport http: it serves the page on which a person comes back from the sign-in",
});

export const accountToolNameTaken = defineDiagnostic<{ name: string }>({
  code: "MW2251",
  message: ({ name }) => `with \`perCaller\` the server has a tool ${name} of its own`,
});
