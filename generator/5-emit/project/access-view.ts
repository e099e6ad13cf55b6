import { CREDENTIALS, CREDENTIAL_KEYS } from "../../credentials/index.js";
import { settingInWords } from "../../credentials/settings.js";
import { CALLER_GRANTS } from "../../model/bodies.js";
import { ACCOUNT_GRANT, accountUpstreams } from "../../model/linked-accounts.js";
import type { ServerModel } from "../../model/server-model.js";
import { callerRoles } from "../model-facts.js";
import { hasNetwork } from "../../model/authentication.js";

/** How callers authenticate, for SERVER.md; null if the manifest has no `auth`, or the server has no network. */
export function accessView(model: ServerModel): object | null {
  const { auth } = model;
  if (auth === undefined || !hasNetwork(model)) return null;
  const shown = CREDENTIAL_KEYS.flatMap((key) =>
    auth.credentials.flatMap((one) => (one.kind === key ? { one, kind: CREDENTIALS[key] } : [])),
  );
  return {
    resource: auth.resource === undefined ? null : settingInWords(auth.resource),
    credentials: shown.map(({ one, kind }) => kind.sentence(one)),
    waits: shown.some(({ one, kind }) => kind.asksServer(one)),
    askedWhen: [...new Set(shown.flatMap(({ kind }) => kind.askedWhen ?? []))],
    mayBeWithdrawn: shown.some(({ one, kind }) => kind.mayBeWithdrawn(one)),
    isFiltered: auth.lists === "filter",
    claims: Object.entries(auth.claims ?? {}).map(([name, type]) => `${name}: ${type}`),
    upstreams: upstreamsForCallers(model),
    accounts: accountUpstreams(model).map((name) => ({
      name,
      redirectUri: `${auth.resource === undefined ? "" : settingInWords(auth.resource)}/connect/${name}/callback`,
    })),
    accountsInRedis: model.scale !== undefined,
    policies: (model.databases ?? []).flatMap(({ name }) => {
      const roles = callerRoles(model, name);
      return roles === undefined ? [] : [{ name, roles }];
    }),
    publicMethods: [...auth.public],
    initialScopes: auth.initialScopes ?? [],
  };
}

/** The names of the upstreams that are asked with a token of the caller's own. */
function upstreamsForCallers({ upstreams = [] }: ServerModel): string[] {
  return upstreams
    .filter(({ settings }) => {
      const { kind } = (settings["auth"] ?? {}) as { readonly kind?: string };
      return kind !== undefined && kind !== ACCOUNT_GRANT && CALLER_GRANTS.includes(kind);
    })
    .map(({ name }) => name);
}
