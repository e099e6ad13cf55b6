import type { AuditDefinition } from "../../templates/runtime/audit/definition.js";
import { CREDENTIALS, credentialsIn, TRIED_KEYS } from "../credentials/index.js";
import type { AuthModel } from "../model/auth.js";
import type { ManifestAudit, ManifestAuth } from "../model/manifest.js";
import { pickDefined } from "../model/pick.js";

/** `auth` of the manifest. Without an `audience`, tokens must be issued for `resource`. */
export function normalizeAuth(auth: ManifestAuth): AuthModel {
  const audience = auth.resource === undefined ? [] : [auth.resource];
  const credentials = TRIED_KEYS.flatMap((kind) =>
    credentialsIn(auth, kind).map((given) => CREDENTIALS[kind].read(given, audience)),
  );
  // A server without a way to know its callers answers everybody.
  if (credentials.length === 0) throw new Error("auth without credentials was not refused");
  return {
    ...pickDefined(auth, ["resource", "claims", "initialScopes"]),
    credentials,
    public: auth.public ?? [],
    lists: auth.lists ?? "all",
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
