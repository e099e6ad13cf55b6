/** Rows of the list of hostile requests that are not asked of these servers, with the reason. */
export const notApplicable: Readonly<Record<string, string>> = {
  R16: "such a pattern is refused in the manifest (MW16xx), so no server has it",
  R43: "no tool runs a program: what a handler does with its arguments is its author's",
  R44: "no tool is bound to an upstream: see R43",
  R45: "no tool is bound to an upstream: see R43",
  R46: "no tool is bound to an upstream: see R43",
  R47: "tried against a server with authenticated callers: served-principals.test.ts",
  R76: "tried against a server with authenticated callers: served-principals.test.ts",
  R80: "tried where the runtime reads files: templates/runtime/resources/file.test.ts",
  R81: "tried against a listener with TLS: templates/runtime/http/tls.test.ts",
  R67: "a matter of speed: npm run bench:server",
};
