import { defineDiagnostic } from "../catalogue-entry.js";
import { lineSeenFrom, type Place } from "../place.js";
import type { Mend } from "../mend.js";

/** Rules about transports, environment variables and the severity of diagnostics. */

export const duplicateTransport = defineDiagnostic<{ type: string; first: Place }>({
  code: "MW2050",
  message: ({ type, first }, place) =>
    `the transport ${type} is here twice; the first is on ${lineSeenFrom(place, first)}`,
});

export const insecureBind = defineDiagnostic<{ host: string; advice?: string }>({
  code: "MW2051",
  message: ({ host }) =>
    `on the host ${host}, anyone who reaches the server could call it without authentication`,
  hint: ({ advice = "listen on 127.0.0.1, or confirm with `allowPublicBind: true`" }) => advice,
});

export const pageWithoutHttp = defineDiagnostic({
  code: "MW2059",
  message: () => "the page needs the transport http, which the manifest has not",
});

export const cardWithoutHttp = defineDiagnostic({
  code: "MW2061",
  message: () => "the card needs the transport http, which the manifest has not",
});

export const cardWithoutName = defineDiagnostic({
  code: "MW2062",
  message: () => "the card needs a name with the domain of its owner",
  hint: () =>
    "write `card: { name: com.example/weather }`, or name the server in `package.registry`",
});

export const insecureOrigin = defineDiagnostic<{ found: string }>({
  code: "MW2052",
  message: ({ found }) => `${found} would let any web page call the server; name each one`,
});

export const originForm = defineDiagnostic<{ found: string; expected: string; mend?: Mend }>({
  code: "MW2053",
  message: ({ found, expected }) => `${found} must be ${expected}`,
  mend: ({ mend }) => mend,
});

export const samePath = defineDiagnostic<{ path: string; first: string; second: string }>({
  code: "MW2054",
  message: ({ path, first, second }) => `${first} and ${second} are both at ${path}`,
});

export const resumableWithoutSessions = defineDiagnostic({
  code: "MW2055",
  message: () => "resumable needs sessions; add `sessions: memory`",
  mend: () => ({ edit: "add key", key: "sessions", value: "memory" }),
});

export const settingForOlderEras = defineDiagnostic<{ what: string }>({
  code: "MW2056",
  message: ({ what }) => `${what} serves older clients only, and protocol.legacy turns them away`,
});

export const corsWithoutOrigins = defineDiagnostic({
  code: "MW2057",
  severity: "warning",
  message: () => "cors has no effect without allowedOrigins",
});

export const deprecatedTransport = defineDiagnostic({
  code: "MW2058",
  severity: "warning",
  message: () => "sse is deprecated by the protocol; clients since 2025 speak http",
});

export const environmentDefault = defineDiagnostic<{ found: string; expected: string }>({
  code: "MW2060",
  message: ({ found, expected }) => `this must be ${expected}, not ${found}`,
});

export const severityOfError = defineDiagnostic<{ code: string; severity: string }>({
  code: "MW2070",
  message: ({ code, severity }) => `${code} is an error and cannot be set to ${severity}`,
});

export const severityOfUnknownCode = defineDiagnostic<{ code: string; nearest?: string }>({
  code: "MW2071",
  message: ({ code, nearest }) =>
    `there is no diagnostic ${code}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
});
