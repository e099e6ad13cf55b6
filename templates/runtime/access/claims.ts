import type { Authentication } from "../authentication/authentication.js";
import { TokenRefused } from "./verification.js";

/** What an authorization server says of a caller. */
export type Claims = Readonly<Record<string, unknown>>;

/** Where a token says what its caller may do. */
export interface ScopeSettings {
  /** The claim; by default `scope`, or else `scp`. */
  readonly claim?: string;
  /** What stands before scopes where clients ask for them; it is cut where a token has it. */
  readonly prefix?: string;
}

/** How far clocks may differ, in seconds. */
export const clockSkew = 30;

/** Who a token was issued to. @throws TokenRefused where it says neither person nor client */
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

/** What a caller may do. */
export function scopesOf(claims: Claims, { claim, prefix = "" }: ScopeSettings = {}): string[] {
  const granted = claim === undefined ? (claims["scope"] ?? claims["scp"]) : claims[claim];
  const listed: unknown[] = typeof granted === "string" ? granted.split(" ") : [granted].flat();
  return listed
    .filter(isName)
    .map((scope) => (scope.startsWith(prefix) ? scope.slice(prefix.length) : scope));
}

/** Claims that must have these values, or a list that holds them. */
export type RequiredClaims = Readonly<Record<string, string | number | boolean>>;

/** @throws TokenRefused where a claim is not as it must be */
export function checkRequired(claims: Claims, required: RequiredClaims = {}): void {
  for (const [name, value] of Object.entries(required)) {
    const found = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const isMet = Array.isArray(found) ? found.includes(value) : found === value;
    if (!isMet) throw new TokenRefused(`its claim ${name} is not as required`);
  }
}

/** Until when credentials are taken; other clocks may be late. */
export function expiryOf({ exp }: Claims): Pick<Authentication, "expiresAt"> {
  return typeof exp === "number" ? { expiresAt: exp + clockSkew } : {};
}
