import type { Authentication } from "../authentication/authentication.js";
import { valueAt } from "../upstreams/pointer.js";
import { TokenRefused } from "./verification.js";

/** The claims of a token: statements of an authorization server about a caller. */
export type Claims = Readonly<Record<string, unknown>>;

/** How to read the scopes of a token. */
export interface ScopeSettings {
  /** The name or JSON Pointer of the claim that contains the scopes. By default `scope`, or `scp` if that is absent. */
  readonly claim?: string;
  /** A prefix of scopes at the authorization server. It is removed from the scopes of tokens. */
  readonly prefix?: string;
}

/** The accepted difference between clocks, in seconds. */
export const clockSkew = 30;

/** The principal of a token's claims. @throws TokenRefused if they name neither a person nor a client */
export function principalOf(issuer: string, claims: Claims): string {
  const { sub, client_id: clientId, azp } = claims;
  const client = clientId ?? azp;
  if (isName(sub) && sub !== client) return `${issuer}|${sub}`;
  if (isName(client)) return `client:${issuer}|${client}`;
  throw new TokenRefused("it names neither a person nor a client");
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The claim with this exact name. A name that begins with `/` is a JSON Pointer to a claim inside others. */
function claimAt(claims: Claims, name: string): unknown {
  if (name.startsWith("/")) return valueAt(claims, name);
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/** The scopes in a token's claims, without the prefix. */
export function scopesOf(claims: Claims, { claim, prefix = "" }: ScopeSettings = {}): string[] {
  const granted = claim === undefined ? (claims["scope"] ?? claims["scp"]) : claimAt(claims, claim);
  const values: unknown[] = typeof granted === "string" ? granted.split(" ") : [granted].flat();
  return values
    .filter(isName)
    .map((scope) => (scope.startsWith(prefix) ? scope.slice(prefix.length) : scope));
}

/** Required claims. The claim of a token must equal the value or be a list that contains it. */
export type RequiredClaims = Readonly<Record<string, string | number | boolean>>;

/** @throws TokenRefused if a required claim is absent or has another value */
export function checkRequired(claims: Claims, required: RequiredClaims = {}): void {
  for (const [name, value] of Object.entries(required)) {
    const claimValue = claimAt(claims, name);
    const isSatisfied = Array.isArray(claimValue)
      ? claimValue.includes(value)
      : claimValue === value;
    if (!isSatisfied) throw new TokenRefused(`its claim ${name} is not as required`);
  }
}

/** The time until which a token is accepted: its `exp` and {@link clockSkew}, since clocks may differ. */
export function expiryOf({ exp }: Claims): Pick<Authentication, "expiresAt"> {
  return typeof exp === "number" ? { expiresAt: exp + clockSkew } : {};
}
