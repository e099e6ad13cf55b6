/** Callers who have tokens of an issuer. It needs the packages `jose` and `ipaddr.js`. */
import type { CallerSource } from "./access/caller-source.js";
import { jwtIssuer, type JwtSettings } from "./access/jwt.js";

export type { JwtSettings } from "./access/jwt.js";

/** Identifies callers by the JWTs of an issuer. */
export function jwt<Env>(settings: (env: Env) => JwtSettings): CallerSource<Env> {
  return { open: (env, server) => jwtIssuer(settings(env), server) };
}
