/** Callers whose tokens an authorization server knows. It needs the package `ipaddr.js`. */
import type { CallerSource } from "./access/caller-source.js";
import { introspection as introspect, type IntrospectionSettings } from "./access/introspection.js";

export type { IntrospectionSettings } from "./access/introspection.js";

/** Asks an authorization server about each token (RFC 7662). It takes tokens of any kind, so it comes last. */
export function introspection<Env>(
  settings: (env: Env) => IntrospectionSettings,
): CallerSource<Env> {
  return { open: (env) => introspect(settings(env)) };
}
