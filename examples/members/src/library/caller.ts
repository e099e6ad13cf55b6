import type { Context } from "../generated/index.ts";

/** The principal who calls. Items with scopes are reached by known callers only; tests say who calls. */
export function callerOf({ auth }: Pick<Context, "auth">): string {
  if (auth === undefined) throw new Error("nobody is known to call");
  return auth.principal;
}
