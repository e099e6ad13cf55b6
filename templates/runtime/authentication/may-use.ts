import type { Authentication } from "./authentication.js";

/** Whether a caller may use an item. On stdio, callers are not authenticated and may use all items. */
export function mayUse(
  { scopes = [] }: { readonly scopes?: readonly string[] },
  caller: Authentication | undefined,
): boolean {
  return caller === undefined || scopes.every((scope) => caller.scopes.includes(scope));
}
