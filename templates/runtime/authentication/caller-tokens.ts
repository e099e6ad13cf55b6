import type { Authentication } from "./authentication.js";

/*
 * The tokens with which callers have come. They are kept only in servers that exchange them, and only as long as the
 * caller of a token is known. Nothing that handlers, logs or the audit trail get holds them.
 */
const tokens = new WeakMap<Authentication, string>();

let areNeeded = false;

/** Must be called before the first request by a server that exchanges tokens of callers. */
export function keepCallerTokens(): void {
  areNeeded = true;
}

/** Notes the verified token of a caller, if this server exchanges tokens. */
export function noteCallerToken(caller: Authentication, token: string): void {
  if (areNeeded) tokens.set(caller, token);
}

/** The verified token of a caller; undefined for callers who have none of their own. */
export function tokenOfCaller(caller: Authentication | undefined): string | undefined {
  return caller && tokens.get(caller);
}
