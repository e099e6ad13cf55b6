import type { Authentication } from "./authentication.js";

declare module "../engine/item.js" {
  interface ItemSettings {
    /** The OAuth scopes that a network caller needs. The caller must have all of them. */
    readonly scopes?: readonly string[];
  }
}

/** Whether a caller may use an item. On stdio, callers are not authenticated and may use all items. */
export function mayUse(
  { scopes = [] }: { readonly scopes?: readonly string[] },
  caller: Authentication | undefined,
): boolean {
  return caller === undefined || scopes.every((scope) => caller.scopes.includes(scope));
}
