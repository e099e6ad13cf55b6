import type { ManifestServices } from "../bodies/definition.js";
import { bodyIn, readBody, readSource } from "../bodies/index.js";
import type { SourceModel } from "../model/bodies.js";
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
import { Completions } from "./completion.js";
import { toldDescription } from "./deprecation.js";
import { formerNames } from "./former-names.js";
import { pickDefined, wireFields } from "../model/pick.js";
import { readSettings } from "./settings.js";

/** The model of a resource. */
export function normalizeResource(
  resource: ManifestResource,
  services: ManifestServices = {},
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
    behaviour: behaviourOf(resource, services),
  };
}

function behaviourOf(
  resource: ManifestResource,
  services: ManifestServices,
): ResourceModel["behaviour"] {
  const { uri, text, blob, file } = resource;
  const counterpart = { asks: "resource" as const, uri };
  const body = readBody(resource, { ...services, arguments: [], counterpart });
  if (body !== undefined) return body;
  if (text !== undefined) return { kind: "text", text };
  if (blob !== undefined) return { kind: "blob", blob };
  if (file !== undefined) return { kind: "file", path: file };
  return { kind: "handler" };
}

/** The model of a resource template. @throws if 2-validate has not checked its `uriTemplate` */
export function normalizeResourceTemplate(
  template: ManifestResourceTemplate,
  services: ManifestServices = {},
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
  const completions = new Completions(names, services);
  const found = instancesOf(template);
  const variables = parsed.parts.flatMap((part) => variablesOf(part, template, found, completions));
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
    // Clients can subscribe to instances that are watched.
    ...(isWatched(template) && { subscribe: true }),
    ...listOf(template, found, services),
    ...(template.raw === true && { raw: true }),
    behaviour: behaviourOfTemplate(template, variables, services),
  };
}

function behaviourOfTemplate(
  template: ManifestResourceTemplate,
  variables: readonly UriTemplateVariable[],
  services: ManifestServices,
): ResourceTemplateModel["behaviour"] {
  const namesOf = (some: readonly UriTemplateVariable[]): string[] => some.map(({ name }) => name);
  const owner = {
    ...services,
    arguments: namesOf(variables),
    lists: namesOf(variables.filter(({ list = false }) => list)),
    counterpart: { asks: "resource" as const, uriTemplate: template.uriTemplate },
  };
  return readBody(template, owner) ?? { kind: "handler" };
}

/** What finds the instances of a template and completes its path, unless the template names something else. */
function instancesOf(template: ManifestResourceTemplate): SourceModel | undefined {
  const body = bodyIn(template);
  return body?.definition.instances?.(body.given);
}

/** True if clients are notified of changes of what the body reads. */
function isWatched(template: ManifestResourceTemplate): boolean {
  const body = bodyIn(template);
  return body?.definition.watched !== undefined && body.given["watch"] === true;
}

function listOf(
  { list }: ManifestResourceTemplate,
  found: SourceModel | undefined,
  services: ManifestServices,
): Pick<ResourceTemplateModel, "list"> {
  if (list === undefined) return found === undefined ? {} : { list: found };
  return { list: list === "code" ? list : readSource(list, { arguments: [], ...services }) };
}

function variablesOf(
  part: UriTemplatePart,
  { complete = {} }: ManifestResourceTemplate,
  found: SourceModel | undefined,
  completions: Completions,
): UriTemplateVariable[] {
  if (part.kind === "literal") return [];
  return part.names.map((name) => ({
    name,
    required: part.operator !== "?",
    list: part.explode,
    ...(part.operator === "+" && found !== undefined && { complete: found }),
    ...(Object.hasOwn(complete, name) && completions.of(name, complete[name])),
  }));
}
