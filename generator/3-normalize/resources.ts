import type { JsonObject } from "../model/json.js";
import type { Manifest, ManifestResource, ManifestResourceTemplate } from "../model/manifest.js";
import type {
  ResourceModel,
  ResourceTemplateModel,
  UriTemplatePart,
  UriTemplateVariable,
} from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import { parseUriTemplate } from "../text/uri-template.js";
import { normalizeAsks } from "./asks.js";
import { normalizeHttp } from "./bodies/http.js";
import { normalizeSource } from "./bodies/source.js";
import { normalizeSql } from "./bodies/sql.js";
import { Completions } from "./completion.js";
import { formerNames } from "./former-names.js";
import { pickDefined, wireFields } from "./pick.js";
import { readSettings } from "./settings.js";

type Databases = NonNullable<Manifest["databases"]>;

export function normalizeResource(
  resource: ManifestResource,
  databases: Databases = {},
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
      ...wireFields(resource, [
        "title",
        "description",
        "mimeType",
        "size",
        "annotations",
        "icons",
        "_meta",
      ]),
    },
    behaviour: behaviourOf(resource, databases),
  };
}

function behaviourOf(
  { text, blob, file, http, sql }: ManifestResource,
  databases: Databases,
): ResourceModel["behaviour"] {
  if (sql !== undefined) return normalizeSql(sql, databases);
  if (http !== undefined) return normalizeHttp(http, []);
  if (text !== undefined) return { kind: "text", text };
  if (blob !== undefined) return { kind: "blob", blob };
  if (file !== undefined) return { kind: "file", path: file };
  return { kind: "handler" };
}

export function normalizeResourceTemplate(
  template: ManifestResourceTemplate,
  databases: Databases = {},
): ResourceTemplateModel {
  const parsed = parseUriTemplate(template.uriTemplate);
  if (!parsed.ok) throw new Error(`unvalidated URI template: ${template.uriTemplate}`);
  const wire: JsonObject = {
    uriTemplate: template.uriTemplate,
    name: template.name,
    ...wireFields(template, ["title", "description", "mimeType", "annotations", "icons", "_meta"]),
  };
  const names = parsed.parts.flatMap((part) => (part.kind === "literal" ? [] : part.names));
  const completions = new Completions(names, databases);
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
    ...listOf(template, databases),
    ...(template.raw === true && { raw: true }),
    behaviour: behaviourOfTemplate(template, names, databases),
  };
}

function behaviourOfTemplate(
  { http, sql }: ManifestResourceTemplate,
  names: readonly string[],
  databases: Databases,
): ResourceTemplateModel["behaviour"] {
  if (http !== undefined) return normalizeHttp(http, names);
  return sql === undefined ? { kind: "handler" } : normalizeSql(sql, databases);
}

function listOf(
  { list }: ManifestResourceTemplate,
  databases: Databases,
): Pick<ResourceTemplateModel, "list"> {
  if (list === undefined) return {};
  return { list: list === "code" ? list : normalizeSource(list, [], databases) };
}

function variablesOf(
  part: UriTemplatePart,
  { complete = {} }: ManifestResourceTemplate,
  completions: Completions,
): UriTemplateVariable[] {
  if (part.kind === "literal") return [];
  return part.names.map((name) => ({
    name,
    required: part.operator !== "?",
    list: part.explode,
    ...(Object.hasOwn(complete, name) && completions.of(name, complete[name])),
  }));
}
