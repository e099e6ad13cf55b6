import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about which clients may reach the server, and which scopes callers of its items need. */

interface Transport {
  readonly type: string;
}

export const allowedHostRemoved = defineRule<Transport & { readonly host: string }>({
  id: "allowed-host-removed",
  severity: "breaking",
  title: "a host name is refused that was accepted",
  explanation: {
    cause: "Requests that reach the server under this name are refused with 403.",
    example: {
      before: "transports: [{type: http, allowedHosts: [mcp.example.com]}]",
      after: "transports: [{type: http}]",
    },
    fix: "Keep the name as long as clients are configured with it, or release a new major version.",
  },
  message: ({ type, host }) => `${type} refuses requests to the host ${quoted(host)} now`,
});

export const allowedOriginRemoved = defineRule<Transport & { readonly origin: string }>({
  id: "allowed-origin-removed",
  severity: "breaking",
  title: "web pages are refused that were accepted",
  explanation: {
    cause: "Requests from pages of this origin are refused with 403.",
    example: {
      before: "transports: [{type: http, allowedOrigins: ['https://app.example.com']}]",
      after: "transports: [{type: http}]",
    },
    fix: "Keep the origin, or release a new major version.",
  },
  message: ({ type, origin }) => `${type} refuses pages of ${quoted(origin)} now`,
});

export const corsSwitchedOff = defineRule<Transport>({
  id: "cors-switched-off",
  severity: "breaking",
  title: "web pages cannot read answers any more",
  explanation: {
    cause: "Without CORS headers browsers keep the answers from the pages that asked.",
    example: {
      before: "transports: [{type: http, allowedOrigins: ['https://app.example.com']}]",
      after: "transports: [{type: http, allowedOrigins: ['https://app.example.com'], cors: false}]",
    },
    fix: "Leave `cors` out, unless a proxy in front of the server adds the headers.",
  },
  message: ({ type }) => `${type} sends no CORS headers any more`,
});

export const transportSecurityChanged = defineRule<Transport & { readonly isSecure: boolean }>({
  id: "transport-security-changed",
  severity: "breaking",
  title: "a transport has another scheme",
  explanation: {
    cause: "With `tls` the server speaks HTTPS, without it HTTP: the URL of clients must change.",
    example: {
      before: "transports: [{type: http}]",
      after: "transports: [{type: http, tls: {cert: TLS_CERT, key: TLS_KEY}}]",
    },
    fix: "Tell those who call the server, or release a new major version.",
  },
  message: ({ type, isSecure }) =>
    isSecure ? `${type} speaks TLS now, and nothing else` : `${type} does not speak TLS any more`,
});

export const olderErasRefused = defineRule({
  id: "older-eras-refused",
  severity: "breaking",
  title: "clients of older protocol revisions are refused",
  explanation: {
    cause: "The server answers clients of 2026-07-28 alone; most clients are older.",
    example: { before: "protocol: {legacy: serve}", after: "protocol: {legacy: reject}" },
    fix: "Keep `legacy: serve`, or release a new major version.",
  },
  message: () => "clients of 2025-11-25 and earlier revisions are refused now",
});

export const olderErasServed = defineRule({
  id: "older-eras-served",
  severity: "info",
  title: "clients of older protocol revisions are served",
  explanation: {
    cause: "The server also answers clients of 2024-11-05 to 2025-11-25.",
    example: { before: "protocol: {legacy: reject}", after: "protocol: {legacy: serve}" },
    fix: "Nothing.",
  },
  message: () => "clients of 2025-11-25 and earlier revisions are served now",
});

interface Scope {
  readonly scope: string;
}

const UNSCOPED = "tools: [{name: a, description: Does a.}]";
const SCOPED = "tools: [{name: a, description: Does a., scopes: [write]}]";

export const scopeNewlyRequired = defineRule<Scope>({
  id: "scope-newly-required",
  severity: "breaking",
  title: "callers need one more scope",
  explanation: {
    cause: "A caller whose token does not carry the scope is refused.",
    example: { before: UNSCOPED, after: SCOPED },
    fix: "Use a scope that callers have, or release a new major version.",
  },
  message: ({ scope }) => `callers need the scope ${quoted(scope)} now`,
});

export const scopeNoLongerRequired = defineRule<Scope>({
  id: "scope-no-longer-required",
  severity: "info",
  title: "callers do without a scope",
  explanation: {
    cause: "A scope that callers needed is no longer asked for.",
    example: { before: SCOPED, after: UNSCOPED },
    fix: "Check that it is meant.",
  },
  message: ({ scope }) => `callers do not need the scope ${quoted(scope)} any more`,
});
