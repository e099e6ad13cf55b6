import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about which clients may reach the server, and which scopes callers of its items need. */

interface Transport {
  readonly type: string;
}

export const allowedHostRemoved = defineRule<Transport & { readonly host: string }>({
  id: "allowed-host-removed",
  severity: "breaking",
  message: ({ type, host }) => `${type} refuses requests to the host ${quoted(host)} now`,
});

export const allowedOriginRemoved = defineRule<Transport & { readonly origin: string }>({
  id: "allowed-origin-removed",
  severity: "breaking",
  message: ({ type, origin }) => `${type} refuses pages of ${quoted(origin)} now`,
});

export const corsSwitchedOff = defineRule<Transport>({
  id: "cors-switched-off",
  severity: "breaking",
  message: ({ type }) => `${type} sends no CORS headers any more`,
});

export const transportSecurityChanged = defineRule<Transport & { readonly isSecure: boolean }>({
  id: "transport-security-changed",
  severity: "breaking",
  message: ({ type, isSecure }) =>
    isSecure ? `${type} speaks TLS now, and nothing else` : `${type} does not speak TLS any more`,
});

export const olderErasRefused = defineRule({
  id: "older-eras-refused",
  severity: "breaking",
  message: () => "clients of 2025-11-25 and earlier revisions are refused now",
});

export const olderErasServed = defineRule({
  id: "older-eras-served",
  severity: "info",
  message: () => "clients of 2025-11-25 and earlier revisions are served now",
});

interface Scope {
  readonly scope: string;
}

export const scopeNewlyRequired = defineRule<Scope>({
  id: "scope-newly-required",
  severity: "breaking",
  message: ({ scope }) => `callers need the scope ${quoted(scope)} now`,
});

export const scopeNoLongerRequired = defineRule<Scope>({
  id: "scope-no-longer-required",
  severity: "info",
  message: ({ scope }) => `callers do not need the scope ${quoted(scope)} any more`,
});
