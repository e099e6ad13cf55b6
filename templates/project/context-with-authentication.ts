import type { Authenticate, Env, ServerControls } from "./generated/index.ts";

/** What all handlers share, such as database pools, clients and caches. Name here what `createServices` returns. */
export interface Services {}

/**
 * Creates the services. Runs once, at the start. Handlers get the returned object, with its type, as `ctx.services`.
 *
 * @param _env the environment variables of the manifest, already checked
 * @param _controls for use while the server runs, such as notifying clients of a change
 */
export async function createServices(_env: Env, _controls: ServerControls): Promise<Services> {
  return {};
}

/** Called when the server stops, after the last answer. */
export async function closeServices(_services: Services): Promise<void> {}

/**
 * Identifies the caller of a request over the network by `request.token`. Check who issued the token, that it
 * was issued for this server, and when it expires. `undefined` refuses the request, so nobody can call the
 * server until you write this function. Handlers get the returned object as `ctx.auth`.
 *
 * For JWTs, introspection and API keys, write `auth` into the manifest instead. To do it by hand, use the
 * package jose, where `keys` is `createRemoteJWKSet(new URL(…))`:
 *
 *   const options = { issuer, audience, algorithms: ["ES256"], requiredClaims: ["sub", "exp"] };
 *   const verified = await jwtVerify(request.token ?? "", keys, options).catch(() => undefined);
 *   if (verified === undefined) return undefined;
 *   const { sub, scope, exp } = verified.payload;
 *   const scopes = typeof scope === "string" ? scope.split(" ") : [];
 *   return { principal: `${issuer}|${sub}`, scopes, expiresAt: exp ?? 0 };
 */
export const authenticate: Authenticate = async (_request, _project) => {
  return undefined;
};
