import type { ClaimTypes } from "../model/auth.js";
import type { JsonObject } from "../model/json.js";
import type { ManifestResource, ManifestResourceTemplate } from "../model/manifest.js";
import type {
  ResourceModel,
  ResourceTemplateModel,
  UriTemplatePart,
  UriTemplateVariable,
} from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import { parseUriTemplate } from "../text/uri-template.js";
import { normalizeAsks } from "./asks.js";
import { normalizeDirectory } from "./bodies/directory.js";
import { normalizeHttp } from "./bodies/http.js";
import { normalizeMcpResource, normalizeMcpResourceTemplate } from "./bodies/mcp.js";
import { normalizeSource } from "./bodies/source.js";
import { normalizeSql, type Databases } from "./bodies/sql.js";
import { Completions } from "./completion.js";
import { toldDescription } from "./deprecation.js";
import { formerNames } from "./former-names.js";
import { pickDefined, wireFields } from "./pick.js";
import { readSettings } from "./settings.js";

/** The model of a resource. */
export function normalizeResource(
  resource: ManifestResource,
  databases: Databases = {},
  claims?: ClaimTypes,
): ResourceModel {
  return {
    kind: "resource",
    name: resource.name,
    ...itemNames(resource.name),
    ...formerNames(resource),
    ...readSettings(resource),
    ...normalizeAsks(resource),
    uri: resource.uri,
    ...pickDefined(resource, ["mimeType"]),
    wire: {
      uri: resource.uri,
      name: resource.name,
      ...wireFields(resource, ["title"]),
      ...toldDescription(resource),
      ...wireFields(resource, ["mimeType", "size", "annotations", "icons", "_meta"]),
    },
    behaviour: behaviourOf(resource, databases, claims),
  };
}

function behaviourOf(
  { uri, text, blob, file, http, sql, mcp }: ManifestResource,
  databases: Databases,
  claims: ClaimTypes | undefined,
): ResourceModel["behaviour"] {
  if (sql !== undefined) return normalizeSql(sql, databases, { claims });
  if (http !== undefined) return normalizeHttp(http, [], claims);
  if (mcp !== undefined) return normalizeMcpResource(mcp, uri);
  if (text !== undefined) return { kind: "text", text };
  if (blob !== undefined) return { kind: "blob", blob };
  if (file !== undefined) return { kind: "file", path: file };
  return { kind: "handler" };
}

/** The model of a resource template. @throws if 2-validate has not checked its `uriTemplate` */
export function normalizeResourceTemplate(
  template: ManifestResourceTemplate,
  databases: Databases = {},
  claims?: ClaimTypes,
): ResourceTemplateModel {
  const parsed = parseUriTemplate(template.uriTemplate);
  if (!parsed.ok) throw new Error(`unvalidated URI template: ${template.uriTemplate}`);
  const wire: JsonObject = {
    uriTemplate: template.uriTemplate,
    name: template.name,
    ...wireFields(template, ["title"]),
    ...toldDescription(template),
    ...wireFields(template, ["mimeType", "annotations", "icons", "_meta"]),
  };
  const names = parsed.parts.flatMap((part) => (part.kind === "literal" ? [] : part.names));
  const completions = new Completions(names, databases, claims);
  const variables = parsed.parts.flatMap((part) => variablesOf(part, template, completions));
  return {
    kind: "resourceTemplate",
    name: template.name,
    ...itemNames(template.name),
    ...formerNames(template),
    ...readSettings(template),
    ...normalizeAsks(template),
    uriTemplate: template.uriTemplate,
    parts: parsed.parts,
    variables,
    ...pickDefined(template, ["mimeType"]),
    wire,
    // Clients can subscribe to the files of a directory that is watched.
    ...(template.directory?.watch === true && { subscribe: true }),
    ...listOf(template, databases, claims),
    ...(template.raw === true && { raw: true }),
    behaviour: behaviourOfTemplate(template, variables, databases, claims),
  };
}

function behaviourOfTemplate(
  { uriTemplate, http, sql, directory, mcp }: ManifestResourceTemplate,
  variables: readonly UriTemplateVariable[],
  databases: Databases,
  claims: ClaimTypes | undefined,
): ResourceTemplateModel["behaviour"] {
  const namesOf = (some: readonly UriTemplateVariable[]): string[] => some.map(({ name }) => name);
  if (http !== undefined) return normalizeHttp(http, namesOf(variables), claims);
  if (directory !== undefined) return normalizeDirectory(directory);
  if (mcp !== undefined) return normalizeMcpResourceTemplate(mcp, uriTemplate);
  const lists = namesOf(variables.filter(({ list = false }) => list));
  return sql === undefined ? { kind: "handler" } : normalizeSql(sql, databases, { lists, claims });
}

function listOf(
  { list, directory }: ManifestResourceTemplate,
  databases: Databases,
  claims: ClaimTypes | undefined,
): Pick<ResourceTemplateModel, "list"> {
  if (list === undefined) {
    return directory === undefined || directory.list === false
      ? {}
      : { list: normalizeDirectory(directory) };
  }
  return { list: list === "code" ? list : normalizeSource(list, [], databases, claims) };
}

function variablesOf(
  part: UriTemplatePart,
  { complete = {}, directory }: ManifestResourceTemplate,
  completions: Completions,
): UriTemplateVariable[] {
  if (part.kind === "literal") return [];
  return part.names.map((name) => ({
    name,
    required: part.operator !== "?",
    list: part.explode,
    ...(part.operator === "+" &&
      directory !== undefined &&
      directory.list !== false && { complete: normalizeDirectory(directory) }),
    ...(Object.hasOwn(complete, name) && completions.of(name, complete[name])),
  }));
}
