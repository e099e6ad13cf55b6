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
import { onceForEach } from "../../model/once-for-each.js";
import { completionContracts } from "./prompt-contracts.js";
import { itemSettings, listSettings } from "./server-contract.js";
import { escapingUris, matchingUris, type UriInstance } from "./uri-instances.js";

/** As much of a template as tells most templates apart, cheaply. */
interface TemplateShape {
  readonly start: string;
  readonly end: string;
  /** Undefined where a variable may hold slashes. */
  readonly slashes?: number;
}

/** Where hardly any server has a resource. */
const UNKNOWN_URI = "unknown-scheme://no.such.host/nothing";

/** Longest URI that a server reads, where the manifest does not say it. */
const LONGEST_URI = 2048;

export function resourcesContract(model: ServerModel): ResourcesContract {
  const isUnknown = isReadable(UNKNOWN_URI, model) && !isTakenByTemplate(UNKNOWN_URI, model);
  return {
    settings: listSettings(model),
    list: model.resources.map(({ wire }) => wire),
    templateList: model.resourceTemplates.map(({ wire }) => wire),
    resources: model.resources.map((resource) => resourceContract(resource, model)),
    templates: templateContracts(model),
    unknown: isUnknown ? [UNKNOWN_URI] : [],
  };
}

/** Whether a URI is one that the server reads: not too long. */
export function isReadable(uri: string, { limits }: ServerModel): boolean {
  return uri.length <= (limits?.uriLength ?? LONGEST_URI);
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
  };
}

function readSettings(
  item: ResourceModel | ResourceTemplateModel,
  { limits }: ServerModel,
): Pick<TemplateContract, "enabled" | "subscribe" | "cache"> {
  const { subscribe, cache } = item;
  return {
    ...itemSettings(item),
    ...(subscribe && limits?.subscriptions !== 0 && { subscribe }),
    ...(cache !== undefined && { cache }),
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

/** URIs that match a template, and nothing else of the server. */
export function ownUris(template: ResourceTemplateModel, model: ServerModel): UriInstance[] {
  return matchingUris(template).filter(({ uri }) => isOwnUri(uri, template, model));
}

/** Whose handler reads a URI that several templates match is the user's choice, not ours to test. */
export function isOwnUri(
  uri: string,
  template: ResourceTemplateModel,
  model: ServerModel,
): boolean {
  const { listed, shapes } = placesOf(model);
  return (
    !listed.has(uri) &&
    isReadable(uri, model) &&
    shapes.every(({ other, shape }) => other === template || !mayMatch(shape, uri))
  );
}

const placesOf = onceForEach(({ resources, resourceTemplates }: ServerModel) => ({
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

/** Whether a template could match a URI; true also for some that it does not. */
function mayMatch({ start, end, slashes }: TemplateShape, uri: string): boolean {
  const [path = ""] = uri.split("?");
  if (!path.startsWith(start) || !path.endsWith(end)) return false;
  return slashes === undefined || slashes === countSlashes(path);
}
