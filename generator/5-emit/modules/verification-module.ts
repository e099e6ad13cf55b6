import type {
  ApiKeysModel,
  AuthModel,
  IntrospectionModel,
  JwtIssuerModel,
} from "../../model/auth.js";
import type { JsonObject } from "../../model/json.js";
import type { ManifestSetting } from "../../model/manifest.js";
import {
  callOf,
  functionOf,
  listOf,
  literalOf,
  objectOf,
  sequenceOf,
  type Code,
} from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { FileStatement, FileStatements } from "../typescript-printer.js";
import type { Entry } from "./item-settings.js";
import { constant, importOf, importTypes, memberOf } from "./structures.js";

/** `src/generated/verification.ts`: verifies callers over the network, as the manifest's `auth` says. */
export function verificationModule(auth: AuthModel): FileStatements {
  const { resource } = auth;
  const resources = resource === undefined ? [] : [resourceCode(auth, resource)];
  const env = JSON.stringify(auth).includes('"env":') ? "env" : "_env";
  const call = callOf("verification", [listOf(verifiers(auth)), "server", ...resources]);
  return [
    ...verifierImports(auth),
    importOf("./runtime/access/verification.ts", ["verification"]),
    importTypes("./runtime/authentication/authenticate.ts", ["Verification", "VerificationServer"]),
    importTypes("./types.ts", ["Env"]),
    constant({
      name: "createVerification",
      value: functionOf(`(${env}: Env, server: VerificationServer): Verification`, [
        sequenceOf(["return ", call, ";"]),
      ]),
      docs: "Verifies the credentials of callers over the network. The first verifier that accepts a token decides.",
    }),
  ];
}

function verifierImports({ jwt, introspection, apiKeys }: AuthModel): FileStatement[] {
  return [
    ...(apiKeys === undefined
      ? []
      : [
          "file" in apiKeys
            ? importOf("./runtime/access/key-file.ts", ["apiKeysIn"])
            : importOf("./runtime/access/api-keys.ts", ["apiKeys"]),
        ]),
    ...(introspection === undefined
      ? []
      : [importOf("./runtime/access/introspection.ts", ["introspection"])]),
    ...(jwt.length === 0 ? [] : [importOf("./runtime/access/jwt.ts", ["jwtIssuer"])]),
  ];
}

/** The verifiers, in the order in which they are tried. Introspection accepts any kind of token, so it is last. */
function verifiers({ jwt, introspection, apiKeys }: AuthModel): Code[] {
  return [
    ...(apiKeys === undefined ? [] : [keysCode(apiKeys)]),
    ...jwt.map((issuer) => callOf("jwtIssuer", [jwtCode(issuer), "server"])),
    ...(introspection === undefined
      ? []
      : [callOf("introspection", [introspectionCode(introspection)])]),
  ];
}

function keysCode(apiKeys: ApiKeysModel): Code {
  if ("env" in apiKeys) return callOf("apiKeys", [settingCode(apiKeys)]);
  return callOf("apiKeysIn", [settingCode(apiKeys.file), "server"]);
}

/** The literal of a setting, or the expression that reads its environment variable. */
function settingCode(setting: ManifestSetting): Code {
  return typeof setting === "string" ? writeString(setting) : memberOf("env", setting.env);
}

function jwtCode({ issuer, jwks, audience, ...others }: JwtIssuerModel): Code {
  return objectOf([
    ["issuer", settingCode(issuer)],
    ...(jwks === undefined ? [] : [["jwks", settingCode(jwks)] as const]),
    ["audience", listOf(audience.map(settingCode))],
    ...literalEntries(others),
  ]);
}

function introspectionCode(introspection: IntrospectionModel): Code {
  const { url, client, secret, audience, issuer: _issuer, ...others } = introspection;
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

function resourceCode({ jwt, introspection }: AuthModel, resource: ManifestSetting): Code {
  const sources = [...jwt, ...(introspection === undefined ? [] : [introspection])];
  const servers = sources.flatMap(({ issuer }) => (issuer === undefined ? [] : [issuer]));
  const prefix = sources.map(({ scopes }) => scopes?.prefix).find((text) => text !== undefined);
  return objectOf([
    ["resource", settingCode(resource)],
    ["authorizationServers", listOf([...new Set(servers.map(settingCode))])],
    ...(prefix === undefined ? [] : [["scopePrefix", writeString(prefix)] as const]),
  ]);
}
