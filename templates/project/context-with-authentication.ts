import type { Authenticate, Env, ServerControls } from "./generated/index.ts";

/**
 * Made at start and given to every handler as `ctx.services`: database pools, clients, caches.
 * What you return here is typed there.
 *
 * @param env the variables that the manifest names, checked
 * @param controls what services may do while the server runs, such as telling clients of a change
 */
export async function createServices(env: Env, controls: ServerControls) {
  return {};
}

/** Called at stop, after the last request has been answered. */
export async function closeServices(services: Awaited<ReturnType<typeof createServices>>) {}

/**
 * Finds out who sends a request over the network, from its token: who issued it, that it is meant for
 * this server, and until when it is good. `undefined` refuses the request, so that nobody can call until
 * this is written. Handlers get what you return as `ctx.auth`.
 *
 * For JWTs, introspection and API keys, write `auth` into the manifest instead. By hand, with the package
 * jose, where `keys` is `createRemoteJWKSet(new URL(…))`:
 *
 *   const options = { issuer, audience, algorithms: ["ES256"], requiredClaims: ["sub", "exp"] };
 *   const verified = await jwtVerify(token ?? "", keys, options).catch(() => undefined);
 *   if (verified === undefined) return undefined;
 *   const { sub, scope, exp } = verified.payload;
 *   const scopes = typeof scope === "string" ? scope.split(" ") : [];
 *   return { principal: `${issuer}|${sub}`, scopes, expiresAt: exp ?? 0 };
 */
export const authenticate: Authenticate = async ({ token }, { env, services }) => {
  return undefined;
};
