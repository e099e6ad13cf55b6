import { CREDENTIALS } from "../../credentials/index.js";
import type { AuthModel, CredentialModel } from "../../model/auth.js";
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
  return auth.credentials.map(callerSource);
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

function callerSource(credential: CredentialModel): ServerValue {
  const kind = CREDENTIALS[credential.kind];
  const { entry, name, given } = kind.factoryCall(credential);
  const code =
    "setting" in given
      ? settingCode(given.setting)
      : settingsCode(given.settings, Object.keys(kind.settings));
  return {
    code: callOf(name, [fromEnvironment(code)]),
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

/** The literal of a setting, or the expression that reads its environment variable. */
function settingCode(setting: ManifestSetting): Code {
  return typeof setting === "string" ? writeString(setting) : memberOf("env", setting.env);
}

/** @param names the names of the settings; all else are values */
function settingsCode(given: object, names: readonly string[]): Code {
  const members = Object.entries(given as JsonObject);
  return objectOf(
    members.map(([name, value]) => [
      name,
      names.includes(name)
        ? settingOrList(value as ManifestSetting | ManifestSetting[])
        : literalOf(value),
    ]),
  );
}

const settingOrList = (stated: ManifestSetting | ManifestSetting[]): Code =>
  Array.isArray(stated) ? listOf(stated.map(settingCode)) : settingCode(stated);

function resourceCode({ credentials, initialScopes }: AuthModel, resource: ManifestSetting): Code {
  const sources = credentials.flatMap((one) => ("audience" in one ? [one] : []));
  const servers = sources.flatMap(({ issuer }) => (issuer === undefined ? [] : [issuer]));
  const prefix = sources.map(({ scopes }) => scopes?.prefix).find((text) => text !== undefined);
  return objectOf([
    ["resource", settingCode(resource)],
    ["authorizationServers", listOf([...new Set(servers.map(settingCode))])],
    ...(prefix === undefined ? [] : [["scopePrefix", writeString(prefix)] as const]),
    ...(initialScopes === undefined
      ? []
      : [["initialScopes", literalOf([...initialScopes])] as const]),
  ]);
}
