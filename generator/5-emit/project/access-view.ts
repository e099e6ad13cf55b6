import type { JwtIssuerModel } from "../../model/auth.js";
import { CALLER_GRANTS } from "../../model/bodies.js";
import { ACCOUNT_GRANT, accountUpstreams } from "../../model/linked-accounts.js";
import type { ManifestSetting } from "../../model/manifest.js";
import type { ServerModel } from "../../model/server-model.js";
import { callerRoles } from "../model-facts.js";
import { hasNetwork } from "../../model/authentication.js";

/** How callers authenticate, for SERVER.md; null if the manifest has no `auth`, or the server has no network. */
export function accessView(model: ServerModel): object | null {
  const { auth } = model;
  if (auth === undefined || !hasNetwork(model)) return null;
  const { credentials } = auth;
  const apiKeys = credentials.find((one) => one.kind === "apiKeys");
  const introspection = credentials.find((one) => one.kind === "introspection");
  const issuers = credentials.filter((one) => one.kind === "jwt");
  return {
    resource: auth.resource === undefined ? null : settingInWords(auth.resource),
    issuers: issuers.map(issuerView),
    introspection: introspection === undefined ? null : settingInWords(introspection.url),
    cacheSeconds: String((introspection?.cacheMs ?? 0) / 1_000),
    waits: introspection !== undefined || issuers.some(({ jwks }) => !isFile(jwks)),
    mayBeWithdrawn: (apiKeys !== undefined && "file" in apiKeys) || introspection !== undefined,
    keys:
      apiKeys === undefined
        ? null
        : settingInWords("file" in apiKeys ? apiKeys.file : apiKeys.keys),
    keysInFile: apiKeys !== undefined && "file" in apiKeys,
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

function issuerView({ issuer, audience, algorithms, require = {} }: JwtIssuerModel) {
  return {
    issuer: settingInWords(issuer),
    audience: audience.map(settingInWords),
    algorithms: [...algorithms],
    claims: Object.entries(require).map(([name, value]) => `${name}: ${value}`),
  };
}

/** True if the keys of an issuer are in a file, so that no server is asked for them. */
function isFile(jwks: ManifestSetting | undefined): boolean {
  return typeof jwks === "string" && !/^https?:/.test(jwks);
}

/** The text of a setting, or the name of its environment variable. */
function settingInWords(setting: ManifestSetting): string {
  return typeof setting === "string" ? setting : `$${setting.env}`;
}
