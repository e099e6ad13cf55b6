import type {
  ResourceModel,
  ResourceTemplateModel,
  ServerModel,
  UriTemplatePart,
} from "../../model/server-model.js";
import type {
  ResourceContract,
  ResourcesContract,
  TemplateContract,
} from "../../../templates/runtime/suite/items/resource-contract.js";
import { isJsonObject } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import { mockText } from "../modules/item-module.js";
import { limitInTests } from "./limits.js";
import { completionContracts } from "./prompt-contracts.js";
import { itemSettings } from "./server-contract.js";
import { escapingUris, matchingUris, type UriInstance } from "./uri-instances.js";

/** A cheap summary of a template: most URIs that do not match the template do not match its summary either. */
interface TemplateShape {
  readonly start: string;
  readonly end: string;
  /** Number of slashes; undefined if a variable may contain slashes. */
  readonly slashes?: number;
}

/** A URI that hardly any server serves. */
const UNKNOWN_URI = "unknown-scheme://no.such.host/nothing";

/** The contract of all resources and templates of a server. */
export function resourcesContract(model: ServerModel): Omit<ResourcesContract, "settings"> {
  const isUnknown = isReadable(UNKNOWN_URI, model) && !isTakenByTemplate(UNKNOWN_URI, model);
  return {
    list: model.resources.map(({ wire }) => wire),
    templateList: model.resourceTemplates.map(({ wire }) => wire),
    resources: model.resources.map((resource) => resourceContract(resource, model)),
    templates: templateContracts(model),
    unknown: isUnknown ? [UNKNOWN_URI] : [],
  };
}

/** True if a URI is not longer than the limit of the server. */
export function isReadable(uri: string, model: ServerModel): boolean {
  return uri.length <= limitInTests(model, "uriLength");
}

function resourceContract(resource: ResourceModel, model: ServerModel): ResourceContract {
  const { name, uri, mimeType, behaviour } = resource;
  return {
    name,
    ...readSettings(resource, model),
    uri,
    ...(!isReadable(uri, model) && { isTooLong: true as const }),
    ...(mimeType !== undefined && { mimeType }),
    ...(behaviour.kind === "text" && { text: behaviour.text }),
    ...(behaviour.kind === "blob" && { blob: behaviour.blob }),
    ...(behaviour.kind === "file" && { file: behaviour.path }),
    ...appSettings(resource),
  };
}

/** What clients need to show a page of an MCP App, which is read with its content. */
function appSettings({ wire: { _meta: meta } }: ResourceModel): Pick<ResourceContract, "ui"> {
  const ui = isJsonObject(meta) ? meta["ui"] : undefined;
  return ui === undefined ? {} : { ui };
}

function readSettings(
  item: ResourceModel | ResourceTemplateModel,
  model: ServerModel,
): Pick<TemplateContract, "enabled" | "subscribe" | "cache" | "mockText"> {
  const { subscribe, cache } = item;
  const mock = mockText(item);
  return {
    ...itemSettings(item),
    ...(subscribe && limitInTests(model, "subscriptions") !== 0 && { subscribe }),
    ...(cache !== undefined && { cache }),
    ...(mock !== undefined && { mockText: mock }),
  };
}

function templateContracts(model: ServerModel): TemplateContract[] {
  return model.resourceTemplates.map((template) => {
    const isOwn = (uri: string): boolean => isOwnUri(uri, template, model);
    return {
      name: template.name,
      ...readSettings(template, model),
      uriTemplate: template.uriTemplate,
      ...(template.mimeType !== undefined && { mimeType: template.mimeType }),
      matching: ownUris(template, model),
      refused: escapingUris(template).filter(isOwn),
      completions: completionContracts(template.variables),
      ...(template.list !== undefined && { lists: true }),
    };
  });
}

/** URIs that match this template, and no other item of the server. */
export function ownUris(template: ResourceTemplateModel, model: ServerModel): UriInstance[] {
  return matchingUris(template).filter(({ uri }) => isOwnUri(uri, template, model));
}

/**
 * True if a readable URI of this template matches no other item. A test must not depend on which of several
 * matching templates reads a URI.
 */
export function isOwnUri(
  uri: string,
  template: ResourceTemplateModel,
  model: ServerModel,
): boolean {
  const { listed, shapes } = uriSpaceOf(model);
  return (
    !listed.has(uri) &&
    isReadable(uri, model) &&
    shapes.every(({ other, shape }) => other === template || !mayMatch(shape, uri))
  );
}

/** The URIs of the resources of a server, and the summaries of its templates. */
const uriSpaceOf = onceForEach(({ resources, resourceTemplates }: ServerModel) => ({
  listed: new Set(resources.map(({ uri }) => uri)),
  shapes: resourceTemplates.map((other) => ({ other, shape: shapeOf(other) })),
}));

function isTakenByTemplate(uri: string, { resourceTemplates }: ServerModel): boolean {
  return resourceTemplates.some((template) => mayMatch(shapeOf(template), uri));
}

function shapeOf({ parts }: ResourceTemplateModel): TemplateShape {
  const path = parts.filter((part) => part.kind === "literal" || part.operator !== "?");
  const spans = path.some(
    (part) => part.kind === "expression" && (part.explode || part.operator === "+"),
  );
  const prefixes = path.map((part) => (part.kind === "literal" ? part.text : part.operator));
  return {
    start: literalText(path[0]),
    end: literalText(path.at(-1)),
    ...(!spans && { slashes: countSlashes(prefixes.join("")) }),
  };
}

function literalText(part: UriTemplatePart | undefined): string {
  return part?.kind === "literal" ? part.text : "";
}

function countSlashes(text: string): number {
  return text.split("/").length - 1;
}

/** False if a template cannot match a URI. True also for some URIs that it does not match. */
function mayMatch({ start, end, slashes }: TemplateShape, uri: string): boolean {
  const [path = ""] = uri.split("?");
  if (!path.startsWith(start) || !path.endsWith(end)) return false;
  return slashes === undefined || slashes === countSlashes(path);
}
