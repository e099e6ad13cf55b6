import { defineDiagnostic } from "../catalogue-entry.js";
import { lineSeenFrom, type Place } from "../place.js";

/** Rules about transports, environment variables and the severity of diagnostics. */

export const duplicateTransport = defineDiagnostic<{ type: string; first: Place }>({
  code: "MW2050",
  severity: "error",
  title: "transport twice",
  explanation: {
    cause: "A type of transport stands in the list twice; each may be there once.",
    example: "transports: [{type: stdio}, {type: stdio}]",
    fix: "Remove one of them.",
  },
  message: ({ type, first }, place) =>
    `the transport ${type} is here twice; the first is on ${lineSeenFrom(place, first)}`,
});

export const insecureBind = defineDiagnostic<{ host: string; advice?: string }>({
  code: "MW2051",
  severity: "error",
  title: "open to the network",
  explanation: {
    cause:
      "The server would listen beyond this machine, and anyone who reaches it could call its tools.",
    example: "transports: [{type: http, host: 0.0.0.0}]",
    fix: "Listen on 127.0.0.1 behind a proxy that authenticates; say under `auth` how callers are known, or name the `scopes` that items need, so that they must say who they are; or set `allowPublicBind: true` where everyone may call, or where `authenticate` in `src/context.ts` decides who.",
  },
  message: ({ host }) =>
    `on the host ${host}, anyone who reaches the server could call it without authentication`,
  hint: ({ advice = "listen on 127.0.0.1, or confirm with `allowPublicBind: true`" }) => advice,
});

export const pageWithoutHttp = defineDiagnostic({
  code: "MW2059",
  severity: "error",
  title: "a page that no browser can open",
  explanation: {
    cause: "`page` is served at the address of the transport `http`, which the manifest has not.",
    example: "page: true\ntransports: [{type: stdio}]",
    fix: "Add `- type: http` to `transports`, or remove `page`.",
  },
  message: () => "the page needs the transport http, which the manifest has not",
});

export const insecureOrigin = defineDiagnostic<{ found: string }>({
  code: "MW2052",
  severity: "error",
  title: "open to every web page",
  explanation: {
    cause: "A wildcard or `null` lets any web page that a user visits call the server.",
    example: 'transports: [{type: http, allowedOrigins: ["*"]}]',
    fix: "Name the origins and hosts that may call: `https://app.example.com`. A `*` may only replace the port of a loopback page (`http://localhost:*`), or what follows the scheme of an app (`vscode-webview://*`).",
  },
  message: ({ found }) => `${found} would let any web page call the server; name each one`,
});

export const originForm = defineDiagnostic<{ found: string; expected: string }>({
  code: "MW2053",
  severity: "error",
  title: "not an origin or host",
  explanation: {
    cause:
      "`allowedOrigins` takes origins (scheme, host, and port where it is not the usual one), `allowedHosts` host names without port.",
    example: 'transports: [{type: http, allowedOrigins: ["app.example.com"]}]',
    fix: "Write `https://app.example.com` under allowedOrigins, `app.example.com` under allowedHosts.",
  },
  message: ({ found, expected }) => `${found} must be ${expected}`,
});

export const samePath = defineDiagnostic<{ path: string; first: string; second: string }>({
  code: "MW2054",
  severity: "error",
  title: "two pages at one path",
  explanation: {
    cause:
      "Two pages of one listener have the same path. Transports of the same host and port share a listener.",
    example: "transports: [{type: http, path: /mcp, health: /mcp}]",
    fix: "Give each a path of its own.",
  },
  message: ({ path, first, second }) => `${first} and ${second} are both at ${path}`,
});

export const resumableWithoutSessions = defineDiagnostic({
  code: "MW2055",
  severity: "error",
  title: "resumable without sessions",
  explanation: {
    cause:
      "`resumable` keeps what a client of an older era may have missed, and that belongs to the client's session. There are no sessions.",
    example: "transports: [{type: http, resumable: true}]",
    fix: "Add `sessions: memory`, or leave `resumable` out.",
  },
  message: () => "resumable needs sessions; add `sessions: memory`",
});

export const settingForOlderEras = defineDiagnostic<{ what: string }>({
  code: "MW2056",
  severity: "error",
  title: "setting for clients that are turned away",
  explanation: {
    cause:
      "Sessions and the transport sse are for clients of 2024-11-05 to 2025-11-25, and `protocol: {legacy: reject}` turns these away.",
    example: "protocol: {legacy: reject}\ntransports: [{type: http, sessions: memory}]",
    fix: "Serve the older clients, or leave out what is for them only.",
  },
  message: ({ what }) => `${what} serves older clients only, and protocol.legacy turns them away`,
});

export const corsWithoutOrigins = defineDiagnostic({
  code: "MW2057",
  severity: "warning",
  title: "CORS for nobody",
  explanation: {
    cause: "CORS headers go to the pages of `allowedOrigins`, and none are named.",
    example: "transports: [{type: http, cors: true}]",
    fix: "Name the origins whose pages may read the answers, or leave `cors` out.",
  },
  message: () => "cors has no effect without allowedOrigins",
});

export const deprecatedTransport = defineDiagnostic({
  code: "MW2058",
  severity: "warning",
  title: "deprecated transport",
  explanation: {
    cause:
      "HTTP with server-sent events was replaced by Streamable HTTP in 2025-03-26; only old clients need it.",
    example: "transports: [{type: sse}]",
    fix: "Declare `http` instead, or beside it while there are clients that know nothing else; then switch this warning off.",
  },
  message: () => "sse is deprecated by the protocol; clients since 2025 speak http",
});

export const environmentDefault = defineDiagnostic<{ found: string; expected: string }>({
  code: "MW2060",
  severity: "error",
  title: "default of a variable",
  explanation: {
    cause:
      "The default or a listed value of an environment variable does not fit its type or its `enum`.",
    example: "env: {PORT_COUNT: {type: number, default: many}}",
    fix: "Write a value of the variable's type, and one of its `enum` where there is one.",
  },
  message: ({ found, expected }) => `this must be ${expected}, not ${found}`,
});

export const severityOfError = defineDiagnostic<{ code: string; severity: string }>({
  code: "MW2070",
  severity: "error",
  title: "error cannot be switched",
  explanation: {
    cause: "`diagnostics` lowers or switches off an error. Only warnings can be switched.",
    example: "diagnostics: {MW1203: off}",
    fix: "Remove the line and correct the error.",
  },
  message: ({ code, severity }) => `${code} is an error and cannot be set to ${severity}`,
});

export const unknownCode = defineDiagnostic<{ code: string; nearest?: string }>({
  code: "MW2071",
  severity: "error",
  title: "unknown diagnostic",
  explanation: {
    cause: "`diagnostics` names a code that does not exist.",
    example: "diagnostics: {MW9999: off}",
    fix: "Use the code that the warning shows.",
  },
  message: ({ code, nearest }) =>
    `there is no diagnostic ${code}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
});
