import type {
  ApiKeysModel,
  AuthModel,
  IntrospectionModel,
  JwtIssuerModel,
} from "../../model/auth.js";
import { hasNetwork } from "../../model/authentication.js";
import type { JsonObject } from "../../model/json.js";
import type { ManifestSetting } from "../../model/manifest.js";
import type { ServerModel } from "../../model/server-model.js";
import {
  callOf,
  listOf,
  literalOf,
  objectOf,
  sequenceOf,
  textsOf,
  type Code,
} from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { Entry } from "./item-settings.js";
import { memberOf } from "./structures.js";
import type { ServerValue } from "./transport-values.js";

/** The ways to identify callers, in the order in which they are tried. */
export function callerSources(model: ServerModel): ServerValue[] {
  const { auth } = model;
  if (auth === undefined || !hasNetwork(model)) return [];
  return auth.credentials.map((credential) => {
    switch (credential.kind) {
      case "apiKeys":
        return keysValue(credential);
      case "jwt":
        return source("jwt", "jwt", jwtCode(credential));
      case "introspection":
        return source("introspection", "introspection", introspectionCode(credential));
    }
  });
}

/** The entries `resource` and `publicMethods` of the definition. */
export function authEntries(model: ServerModel): Entry[] {
  const { auth } = model;
  if (auth === undefined || !hasNetwork(model)) return [];
  const { resource, public: methods } = auth;
  return [
    ...(resource === undefined
      ? []
      : [["resource", fromEnvironment(resourceCode(auth, resource))] satisfies Entry]),
    ...(methods.length === 0 ? [] : [["publicMethods", literalOf([...methods])] satisfies Entry]),
  ];
}

function source(entry: string, name: string, settings: Code): ServerValue {
  return {
    code: callOf(name, [fromEnvironment(settings)]),
    imports: [[`@mcpwright/runtime/${entry}`, name]],
  };
}

/** A function from the environment to a value. It has a parameter only where the value uses it. */
function fromEnvironment(value: Code): Code {
  const usesEnvironment = textsOf(value).some((text) => /(?:^|[ (\[])env[.[]/.test(text));
  const head = usesEnvironment ? "(env: Env) => " : "() => ";
  return typeof value === "string"
    ? sequenceOf([head, value])
    : sequenceOf([`${head}(`, value, ")"]);
}

function keysValue(apiKeys: ApiKeysModel): ServerValue {
  return "keys" in apiKeys
    ? source("auth", "apiKeys", settingCode(apiKeys.keys))
    : source("auth", "apiKeyFile", settingCode(apiKeys.file));
}

/** The literal of a setting, or the expression that reads its environment variable. */
function settingCode(setting: ManifestSetting): Code {
  return typeof setting === "string" ? writeString(setting) : memberOf("env", setting.env);
}

function jwtCode({ kind: _kind, issuer, jwks, audience, ...others }: JwtIssuerModel): Code {
  return objectOf([
    ["issuer", settingCode(issuer)],
    ...(jwks === undefined ? [] : [["jwks", settingCode(jwks)] as const]),
    ["audience", listOf(audience.map(settingCode))],
    ...literalEntries(others),
  ]);
}

function introspectionCode(introspection: IntrospectionModel): Code {
  const { kind: _kind, url, client, secret, audience, issuer: _issuer, ...others } = introspection;
  return objectOf([
    ["url", settingCode(url)],
    ["client", settingCode(client)],
    ["secret", settingCode(secret)],
    ["audience", listOf(audience.map(settingCode))],
    ...literalEntries(others),
  ]);
}

function literalEntries(fields: object): Entry[] {
  return Object.entries(fields as JsonObject).map(([name, value]) => [name, literalOf(value)]);
}

function resourceCode({ credentials }: AuthModel, resource: ManifestSetting): Code {
  const sources = credentials.flatMap((one) => (one.kind === "apiKeys" ? [] : [one]));
  const servers = sources.flatMap(({ issuer }) => (issuer === undefined ? [] : [issuer]));
  const prefix = sources.map(({ scopes }) => scopes?.prefix).find((text) => text !== undefined);
  return objectOf([
    ["resource", settingCode(resource)],
    ["authorizationServers", listOf([...new Set(servers.map(settingCode))])],
    ...(prefix === undefined ? [] : [["scopePrefix", writeString(prefix)] as const]),
  ]);
}
