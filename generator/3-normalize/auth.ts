import type { ScopeSettings } from "../../templates/runtime/access/claims.js";
import type { AuditDefinition } from "../../templates/runtime/audit/definition.js";
import { expandedIssuer } from "../model/auth-presets.js";
import type { ApiKeysModel, AuthModel, IntrospectionModel, JwtIssuerModel } from "../model/auth.js";
import type {
  ManifestApiKeys,
  ManifestAudit,
  ManifestAuth,
  ManifestIntrospection,
  ManifestJwtIssuer,
  ManifestSetting,
  ManifestTokenScopes,
} from "../model/manifest.js";
import { pickDefined } from "./pick.js";

/** Nearly every authorization server signs with one of these. */
const USUAL_ALGORITHMS = ["ES256", "RS256"];

const USUAL_CACHE_MS = 10_000;

/** `auth` of the manifest. Without an `audience`, tokens must be issued for `resource`. */
export function normalizeAuth(auth: ManifestAuth): AuthModel {
  const { resource, jwt = [], introspection, apiKeys } = auth;
  const audience = resource === undefined ? [] : [resource];
  return {
    ...pickDefined(auth, ["resource", "claims"]),
    // Introspection takes tokens of any kind, so that it comes last.
    credentials: [
      ...(typeof apiKeys === "object" ? [apiKeysOf(apiKeys)] : []),
      ...jwt.map((issuer) => normalizeIssuer(issuer, audience)),
      ...(introspection === undefined ? [] : [normalizeIntrospection(introspection, audience)]),
    ],
    public: auth.public ?? [],
    lists: auth.lists ?? "all",
  };
}

/** Where the API keys are. 2-validate has made sure that the manifest names a file or a variable. */
function apiKeysOf({ env = "", file }: ManifestApiKeys): ApiKeysModel {
  return { kind: "apiKeys", ...(file === undefined ? { keys: { env } } : { file }) };
}

function normalizeIssuer(
  given: ManifestJwtIssuer,
  usualAudience: readonly ManifestSetting[],
): JwtIssuerModel {
  const settings = expandedIssuer(given);
  const { issuer = "", audience = usualAudience, algorithms = USUAL_ALGORITHMS, scopes } = settings;
  return {
    kind: "jwt",
    issuer,
    ...pickDefined(settings, ["jwks"]),
    audience,
    algorithms,
    ...(scopes !== undefined && { scopes: tokenScopes(scopes) }),
    ...pickDefined(settings, ["require"]),
    ...(settings.strict === true && { strict: true }),
  };
}

function normalizeIntrospection(
  settings: ManifestIntrospection,
  usualAudience: readonly ManifestSetting[],
): IntrospectionModel {
  const { url, client, secret, audience = usualAudience, scopes } = settings;
  return {
    kind: "introspection",
    ...{ url, client, secret, audience },
    ...pickDefined(settings, ["issuer"]),
    ...(scopes !== undefined && { scopes: tokenScopes(scopes) }),
    cacheMs: settings.cacheMs ?? USUAL_CACHE_MS,
  };
}

function tokenScopes({ claim, advertise }: ManifestTokenScopes): ScopeSettings {
  return {
    ...(claim !== undefined && { claim }),
    ...(advertise !== undefined && { prefix: advertise }),
  };
}

/** `audit` of the manifest. */
export function normalizeAudit({
  to,
  arguments: argumentDetail,
  durable,
}: ManifestAudit): AuditDefinition {
  return {
    ...(to !== undefined && { to: { env: to.env } }),
    arguments: argumentDetail ?? "none",
    durable: durable ?? false,
  };
}
