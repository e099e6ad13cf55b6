import { USUAL_STATUSES } from "../bodies/http.js";
import { IDEMPOTENT_METHODS, type UpstreamModel } from "../model/bodies.js";
import type { JsonObject } from "../model/json.js";
import type { ManifestUpstream, ManifestUpstreamAuth } from "../model/manifest.js";
import { pickDefined } from "../model/pick.js";

const USUAL_TIMEOUT_MS = 10_000;

/** The entries of `upstreams` that are services over HTTP, in the order of their names. */
export function normalizeUpstreams(
  upstreams: Readonly<Record<string, ManifestUpstream>>,
): UpstreamModel[] {
  return Object.entries(upstreams)
    .filter(([, { mcp }]) => mcp === undefined)
    .map(([name, upstream]) => ({ name, settings: settingsOf(upstream) as JsonObject }));
}

function settingsOf(upstream: ManifestUpstream): object {
  const { retries } = upstream;
  return {
    baseUrl: upstream.baseUrl,
    ...connectionSettings(upstream),
    timeoutMs: upstream.timeoutMs ?? USUAL_TIMEOUT_MS,
    ...(retries !== undefined && {
      retries: {
        max: retries.max,
        on: retries.on ?? USUAL_STATUSES,
        methods: retries.methods ?? IDEMPOTENT_METHODS,
      },
    }),
    redirects: upstream.redirects ?? 0,
  };
}

/** The settings of connections to a service over HTTP, with this server's credentials. */
export function connectionSettings(upstream: ManifestUpstream): object {
  const { auth } = upstream;
  return {
    ...(auth !== undefined && { auth: authOf(auth) }),
    ...pickDefined(upstream, ["headers", "concurrency"]),
    private: upstream.private ?? false,
    ...pickDefined(upstream, ["proxy", "ca", "cert", "key"]),
  };
}

/** The settings of the one kind of authentication that the upstream has, with the name of that kind. */
function authOf({
  bearer,
  clientCredentials,
  exchange,
  onBehalfOf,
  jwtBearer,
  perCaller,
  ...others
}: ManifestUpstreamAuth): object {
  if (bearer !== undefined) return { kind: "bearer", token: bearer };
  if (clientCredentials !== undefined) {
    const { sendIn = "header", ...credentials } = clientCredentials;
    return { kind: "clientCredentials", ...credentials, sendIn };
  }
  if (exchange !== undefined) return { kind: "exchange", sendIn: "header", ...exchange };
  if (onBehalfOf !== undefined) return { kind: "onBehalfOf", sendIn: "form", ...onBehalfOf };
  if (jwtBearer !== undefined) return { kind: "jwtBearer", sendIn: "form", ...jwtBearer };
  if (perCaller !== undefined) {
    return { kind: "perCaller", sendIn: "header", scopes: [], ...perCaller };
  }
  const [[kind, settings] = ["header", {}]] = Object.entries(others);
  return { kind, ...(settings as object) };
}
