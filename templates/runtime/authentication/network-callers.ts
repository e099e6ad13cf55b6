import { SettingError } from "../engine/errors.js";
import type { RunningServer } from "../server/create-server.js";
import { adviceOnExports } from "../start/context-exports.js";
import type { ProjectContext } from "../start/project-context.js";
import type { Authenticator, ManifestAuth, Verification } from "./authenticate.js";

/** The exports of `src/context.ts` that are called for requests over the network. */
export const networkExports: readonly string[] = ["authenticate", "protectedResource", "ready"];

/** @throws SettingError if `authenticate` is misspelt: the server would accept every caller */
export function refuseMisspeltAuthenticate(context: object): void {
  const [advice] = adviceOnExports(context, ["authenticate"]);
  if (advice !== undefined) throw new SettingError(advice);
}

/** Logs that all requests over the network are refused, if items need scopes and nothing authenticates callers. */
export function warnOfScopes({ access, log }: RunningServer): void {
  if (access === undefined || access.scopes.length === 0) return;
  log.error(
    "every request over the network is refused: the manifest names scopes, and src/context.ts exports no authenticate",
  );
}

/** Authenticates by the project's code or, without it, by the manifest's `auth`. */
export function authenticatorOf<Env, Services>(
  { authenticate, protectedResource }: ProjectContext<Env, Services>,
  server: { readonly env: Env; readonly services: Services },
  verification: Verification | undefined,
): Authenticator | undefined {
  const manifestResource = verification?.protectedResource;
  if (manifestResource !== undefined && protectedResource !== undefined) {
    throw new SettingError(
      "src/context.ts exports protectedResource, which auth.resource of the manifest says already; remove one",
    );
  }
  const resource = manifestResource ?? protectedResource?.(server.env);
  if (authenticate === undefined && verification === undefined) return undefined;
  const verify: ManifestAuth["verify"] = async (token) => verification?.verify(token);
  return {
    authenticate: (request) =>
      authenticate === undefined
        ? verification?.verify(request.token)
        : authenticate(request, { ...server, verify }),
    ...(resource === undefined ? {} : { protectedResource: resource }),
  };
}
