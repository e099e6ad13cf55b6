import type { JsonObject } from "../../model/json.js";
import { isJsonObject } from "../../model/json.js";
import { REGISTRY_TEXT_LENGTH } from "../../model/registry.js";
import type { EnvVariableModel, RegistryModel, ServerModel } from "../../model/server-model.js";
import { cutAtWord } from "../../text/cut-at-word.js";
import { signsIn, tokenVariable } from "../project/client-entries.js";
import { serverVariables } from "../project/env-example.js";
import { hasStdio, httpTransport } from "../model-facts.js";
import { localUrl } from "../project/local-url.js";
import { publicRepository, uriOf } from "../../text/public-urls.js";
import { offeredDefault } from "./offered-default.js";
import { jsonFile, type PackageKind } from "./package-kind.js";
import { publicDescription } from "./public-texts.js";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** An entry in the MCP registry. */
export const registry: PackageKind = {
  files: (model) => {
    const entry = model.package?.registry;
    return entry === undefined ? [] : [jsonFile("server.json", serverJson(model, entry))];
  },
};

/** The server's entry in the MCP registry, by the registry's schema of 2025-12-11. */
export function serverJson(model: ServerModel, registry: RegistryModel): JsonObject {
  const { title, websiteUrl, version = "" } = model;
  const packages = registry.npm ? npmPackages(model, version) : [];
  const remotes = registry.url === undefined ? [] : [remote(model, registry.url)];
  const icons = registryIcons(model);
  const repository = publicRepository(model.repository);
  const name = cutAtWord(title ?? "", REGISTRY_TEXT_LENGTH);
  return {
    $schema: SCHEMA,
    name: registry.name,
    ...(name !== "" && { title: name }),
    description: cutAtWord(publicDescription(model), REGISTRY_TEXT_LENGTH),
    version,
    ...(websiteUrl !== undefined && { websiteUrl: uriOf(websiteUrl) }),
    ...(repository?.source !== undefined && { repository: { ...repository } }),
    ...(icons.length > 0 && { icons }),
    ...(packages.length > 0 && { packages }),
    ...(remotes.length > 0 && { remotes }),
  };
}

/** How clients start the npm package; empty if the server has no transport that the registry knows. */
function npmPackages(model: ServerModel, version: string): JsonObject[] {
  const http = httpTransport(model);
  if (!hasStdio(model) && http === undefined) return [];
  const isStdio = hasStdio(model) || http === undefined;
  const [flag, transport] = isStdio
    ? ["--stdio", { type: "stdio" }]
    : ["--http", { type: "streamable-http", url: localUrl(http) }];
  const variables = serverVariables(model)
    .filter(({ network }) => !isStdio || network !== true)
    .map(environmentVariable);
  return [
    {
      registryType: "npm",
      identifier: model.name,
      version,
      runtimeHint: "npx",
      transport,
      packageArguments: [{ type: "positional", value: flag }],
      ...(variables.length > 0 && { environmentVariables: variables }),
    },
  ];
}

function environmentVariable(variable: EnvVariableModel): JsonObject {
  const { name, description, required, secret } = variable;
  const offered = offeredDefault(variable);
  return {
    name,
    ...(description !== undefined && { description: description.trim() }),
    format: formatOf(variable),
    isRequired: required && variable.default === undefined,
    isSecret: secret,
    ...(offered !== undefined && !secret && { default: String(offered) }),
    ...(variable.enum !== undefined && { choices: variable.enum.map(String) }),
  };
}

function formatOf({ type, ask = "text" }: EnvVariableModel): string {
  if (type === "url" || type === "string") return ask === "text" ? "string" : "filepath";
  return type;
}

/** The URL of the running server. Clients that sign users in learn the authorization server from the server itself. */
function remote(model: ServerModel, url: string): JsonObject {
  const entry = { type: "streamable-http", url: uriOf(url) };
  if (tokenVariable(model) === undefined) return entry;
  const authorization = {
    name: "Authorization",
    description: "The token of the caller",
    isRequired: !signsIn(model),
    isSecret: true,
    value: "Bearer {token}",
    variables: { token: { description: "The token of the caller", isSecret: true } },
  };
  return { ...entry, headers: [authorization] };
}

const ICON_TYPES = ["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"];

/** Maximum length of an icon's URL in the registry, in characters. */
const ICON_URL_LENGTH = 255;

/** The icons that the registry accepts: `https` URLs of known media types. */
function registryIcons({ icons = [] }: ServerModel): JsonObject[] {
  return icons.flatMap((icon) => {
    if (!isJsonObject(icon)) return [];
    const { src, mimeType, sizes, theme } = icon;
    const isKnown = mimeType === undefined || ICON_TYPES.includes(String(mimeType));
    if (typeof src !== "string" || !src.startsWith("https:") || !isKnown) return [];
    const source = uriOf(src);
    if (source.length > ICON_URL_LENGTH) return [];
    return [
      {
        src: source,
        ...(mimeType !== undefined && { mimeType }),
        ...(sizes !== undefined && { sizes }),
        ...(theme !== undefined && { theme }),
      },
    ];
  });
}
