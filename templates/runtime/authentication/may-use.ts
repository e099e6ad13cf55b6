import type { Authentication } from "./authentication.js";

declare module "../engine/item.js" {
  interface ItemSettings {
    /** OAuth scopes that a caller over the network needs, all of them. */
    readonly scopes?: readonly string[];
  }
}

/** Whether a caller may use an item. Nobody has to say who they are on stdio: whoever starts a server may use it. */
export function mayUse(
  { scopes = [] }: { readonly scopes?: readonly string[] },
  caller: Authentication | undefined,
): boolean {
  return caller === undefined || scopes.every((scope) => caller.scopes.includes(scope));
}
