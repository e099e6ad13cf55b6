import type { Authentication } from "./authentication.js";

/** Whether a caller may use an item. Nobody has to say who they are on stdio: whoever starts a server may use it. */
export function mayUse(
  { scopes = [] }: { readonly scopes?: readonly string[] },
  caller: Authentication | undefined,
): boolean {
  return caller === undefined || scopes.every((scope) => caller.scopes.includes(scope));
}
