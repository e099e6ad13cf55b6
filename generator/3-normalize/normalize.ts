import type { SkillFolder } from "../../templates/runtime/skills/definition.js";
import { jsonObjectOf, type JsonObject } from "../model/json.js";
import { validManifest } from "../model/loaded-manifest.js";
import type { Manifest, ManifestRestrict, ManifestSkillFolder } from "../model/manifest.js";
import type {
  ExposureModel,
  LimitsModel,
  RestrictModel,
  ServerModel,
} from "../model/server-model.js";
import {
  answersTypeName,
  argumentsTypeName,
  inputTypeName,
  outputTypeName,
  questionsTypeName,
  variablesTypeName,
} from "../model/type-names.js";
import { skillFolderName, withSkillTemplates } from "../model/skills.js";
import { itemNames } from "../text/names.js";
import { normalizeAudit, normalizeAuth } from "./auth.js";
import { appResources } from "./apps.js";
import { normalizeDatabases } from "./databases.js";
import { normalizeRemoteServers } from "./remote-servers.js";
import { normalizeUpstreams } from "./upstreams.js";
import { canonicalManifest } from "./canonical.js";
import { normalizeEnvironment } from "./environment.js";
import { asListed } from "./deprecation.js";
import { deepFreeze } from "./freeze.js";
import { withPrivateCaching } from "./private-caching.js";
import { normalizeDeploy, normalizePackage } from "./package.js";
import { normalizePrompt } from "./prompts.js";
import { normalizeResource, normalizeResourceTemplate } from "./resources.js";
import { normalizeScale } from "./scale.js";
import { createSchemaNormalizer } from "./schemas.js";
import { pickDefined } from "../model/pick.js";
import { cacheHints } from "./settings.js";
import { normalizeTool } from "./tools.js";
import { normalizeTransports } from "./transports.js";

/** Keys of the manifest about the whole server that the model takes over unchanged. */
const SERVER_TEXTS = [
  "title",
  "description",
  "websiteUrl",
  "icons",
  "instructions",
  "license",
  "author",
  "repository",
  "keywords",
] as const;

/**
 * Turns a manifest into the server model: fills in defaults, chooses names, resolves shared schemas and
 * compiles templates. Only for a manifest in which 2-validate found no error. The result is frozen.
 */
export function normalize(authored: Manifest): ServerModel {
  // The order in which the author wrote the manifest's keys must not change the output.
  const manifest = validManifest(withSkillTemplates(canonicalManifest(jsonObjectOf(authored))));
  const typeNames = itemTypeNames(manifest);
  const schemas = createSchemaNormalizer(manifest.schemas ?? {}, typeNames, manifest.schemaRefs);
  const services = { databases: manifest.databases, claims: manifest.auth?.claims };
  const tools = asListed(manifest.tools).map((tool) =>
    normalizeTool(tool, schemas, (manifest.schemas ?? {}) as JsonObject, manifest),
  );
  const model: ServerModel = {
    name: manifest.name,
    ...(manifest.version !== "package.json" && { version: manifest.version }),
    ...pickDefined(manifest, SERVER_TEXTS),
    protocol: { legacy: manifest.protocol?.legacy ?? "serve" },
    transports: normalizeTransports(manifest),
    env: normalizeEnvironment(manifest),
    ...(manifest.upstreams !== undefined && {
      upstreams: normalizeUpstreams(manifest.upstreams),
      servers: normalizeRemoteServers(manifest.upstreams),
    }),
    ...(manifest.databases !== undefined && {
      databases: normalizeDatabases(manifest.databases),
    }),
    ...(manifest.auth !== undefined && { auth: normalizeAuth(manifest.auth) }),
    ...(manifest.telemetry === true && { telemetry: true as const }),
    ...(manifest.audit !== undefined && { audit: normalizeAudit(manifest.audit) }),
    ...(manifest.scale !== undefined && { scale: normalizeScale(manifest.scale, manifest) }),
    ...(manifest.package !== undefined && { package: normalizePackage(manifest) }),
    ...(manifest.deploy !== undefined && { deploy: normalizeDeploy(manifest.deploy) }),
    ...(manifest.cache !== undefined && { cache: cacheHints(manifest.cache) }),
    ...pickDefined(manifest, ["pageSize"]),
    ...(manifest.extensions !== undefined && {
      extensions: manifest.extensions as Record<string, JsonObject>,
    }),
    ...pickDefined(manifest.diagnostics ?? {}, ["tokenBudget"]),
    ...(manifest.exposure !== undefined && { exposure: normalizeExposure(manifest) }),
    ...(manifest.resourceTools === true && { resourceTools: true as const }),
    ...(manifest.skills !== undefined && { skills: manifest.skills.map(normalizeSkills) }),
    ...(manifest.restrict !== undefined && { restrict: normalizeRestrict(manifest.restrict) }),
    ...(manifest.limits !== undefined && { limits: manifest.limits as LimitsModel }),
    sharedSchemas: schemas.shared,
    tools,
    resources: [
      ...asListed(manifest.resources).map((resource) => normalizeResource(resource, services)),
      ...appResources(manifest.tools ?? [], tools),
    ],
    resourceTemplates: asListed(manifest.resourceTemplates).map((template) =>
      normalizeResourceTemplate(template, services),
    ),
    prompts: asListed(manifest.prompts).map((prompt) => normalizePrompt(prompt, services)),
  };
  return deepFreeze(withPrivateCaching(model));
}

function normalizeExposure({ exposure, tools = [] }: Manifest): ExposureModel {
  const listed = new Set(typeof exposure === "object" ? exposure.list : []);
  return { listed: tools.map(({ name }) => name).filter((name) => listed.has(name)) };
}

function normalizeSkills({ root }: ManifestSkillFolder): SkillFolder {
  return { template: skillFolderName(root), root };
}

function normalizeRestrict({ groups, readOnly }: ManifestRestrict): RestrictModel {
  return {
    ...(groups !== undefined && { groups: pickDefined(groups, ["env", "scopePrefix"]) }),
    ...(readOnly !== undefined && { readOnly: pickDefined(readOnly, ["env", "scope"]) }),
  };
}

/** The names of the types that are generated for items. */
function* itemTypeNames(manifest: Manifest): Generator<string> {
  for (const { name } of manifest.tools ?? []) {
    const names = itemNames(name);
    yield inputTypeName(names);
    yield outputTypeName(names);
  }
  for (const { name } of manifest.prompts ?? []) yield argumentsTypeName(itemNames(name));
  for (const { name } of manifest.resourceTemplates ?? []) yield variablesTypeName(itemNames(name));
  for (const [kind, items] of [
    ["tool", manifest.tools],
    ["resource", manifest.resources],
    ["resourceTemplate", manifest.resourceTemplates],
    ["prompt", manifest.prompts],
  ] as const) {
    for (const { name, elicitations } of items ?? []) {
      if (elicitations === undefined) continue;
      yield questionsTypeName({ kind, ...itemNames(name) });
      yield answersTypeName({ kind, ...itemNames(name) });
    }
  }
}
