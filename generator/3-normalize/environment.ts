import { BODIES, BODY_KEYS } from "../bodies/index.js";
import { isJsonObject, jsonObjectOf, type JsonObject, type JsonValue } from "../model/json.js";
import { limitNames } from "../../templates/runtime/engine/limits.js";
import { isNetworkLimit, variableOfLimit } from "../model/limits.js";
import type { Manifest, ManifestEnvironmentVariable } from "../model/manifest.js";
import type { EnvVariableModel } from "../model/server-model.js";
import { pickDefined } from "../model/pick.js";

/** `env` of the manifest, in the order of names; a variable without settings is an optional string. */
export function normalizeEnvironment(manifest: Manifest): EnvVariableModel[] {
  const ofNetwork = networkVariables(manifest);
  const paths = pathVariables(manifest);
  const pathsOfNetwork = new Set(networkPathVariables(manifest));
  const env: Readonly<Record<string, ManifestEnvironmentVariable | null>> = manifest.env ?? {};
  return Object.entries(env).map(([name, settings]) => {
    const { ask, ...variable } = settings ?? {};
    const form = ask === true ? "text" : (ask ?? paths.get(name));
    const isPath =
      form === "file" || form === "directory" || paths.has(name) || pathsOfNetwork.has(name);
    return {
      name,
      type: variable.type ?? "string",
      required: variable.required ?? false,
      secret: variable.secret ?? false,
      ...pickDefined(variable, ["description", "default", "enum"]),
      ...(ofNetwork.has(name) && { network: true as const }),
      ...(isPath && { path: true as const }),
      ...(form !== undefined && form !== false && { ask: form }),
    };
  });
}

/** Parts of the manifest that act only over the network. */
const OF_NETWORK = ["auth", "scale", "transports"] as const;

/** The variables that act only over the network, in a server that is also served without. */
function networkVariables(manifest: Manifest): ReadonlySet<string> {
  const { auth, scale, transports = [], limits = {}, ...others } = manifest;
  const isServedWithout =
    manifest.transports === undefined ||
    transports.some(({ type }) => type === "stdio" || type === "custom");
  if (!isServedWithout) return new Set();
  const [ofLimits, ofOtherLimits] = [true, false].map((network) =>
    limitNames
      .filter((name) => isNetworkLimit(name) === network)
      .flatMap((name) => variableOfLimit(limits[name]) ?? []),
  ) as [string[], string[]];
  const elsewhere = new Set([...variablesIn(jsonObjectOf(others)), ...ofOtherLimits]);
  const named = OF_NETWORK.flatMap((key) => variablesIn(manifest[key] as JsonValue | undefined));
  return new Set(
    [...named, ...tlsVariables(manifest), ...ofLimits]
      .filter((name) => !elsewhere.has(String(name)))
      .map(String),
  );
}

/** The variables with the paths of certificates and of their keys. */
function tlsVariables({ transports = [] }: Manifest): string[] {
  return transports.flatMap((transport) =>
    "tls" in transport && transport.tls !== undefined
      ? Object.values(transport.tls).map(String)
      : [],
  );
}

/** The variables with paths of files that the server uses for the network alone. */
function networkPathVariables(manifest: Manifest): string[] {
  const file = manifest.auth?.apiKeys?.file;
  return [...tlsVariables(manifest), ...(typeof file === "object" ? [file.env] : [])];
}

/** The names under `env` of references, wherever they stand in a value. */
function variablesIn(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(variablesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "env" && typeof member === "string" ? [member] : variablesIn(member),
  );
}

/** The variables with paths of files and directories that the server uses without the network. */
function pathVariables(manifest: Manifest): ReadonlyMap<string, "file" | "directory"> {
  const { audit, databases = {}, upstreams = {}, tools = [], resourceTemplates = [] } = manifest;
  const partners = Object.values(upstreams);
  const settings = [
    ...[audit?.to, ...Object.values(databases).map(({ file }) => file)].map(
      (setting) => ["file", setting] as const,
    ),
    ...partners.map(({ mcp }) => ["directory", mcp?.cwd] as const),
  ];
  const referenced = settings.flatMap(([kind, setting]) =>
    typeof setting === "object" ? [[setting.env, kind] as const] : [],
  );
  const ofBodies = [...tools, ...resourceTemplates]
    .flatMap((item) => foldersOfBody(jsonObjectOf(item)))
    .map((name) => [name, "directory"] as const);
  const files = partners.flatMap(({ ca, cert, key }) => [ca, cert, key]);
  const named = files.flatMap((name) => (name === undefined ? [] : [[name, "file"] as const]));
  return new Map([...referenced, ...ofBodies, ...named]);
}

/** The variables that name folders of an item's body. */
function foldersOfBody(item: JsonObject): string[] {
  return BODY_KEYS.flatMap((key) => {
    const [body, { folder }] = [item[key], BODIES[key]];
    return folder !== undefined && isJsonObject(body) ? variablesIn(body[folder]) : [];
  });
}
