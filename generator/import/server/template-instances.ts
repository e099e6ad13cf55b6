import { uriMatcher } from "../../../templates/runtime/resources/uri-template.js";
import type { JsonObject } from "../../model/json.js";
import { excerpt } from "../../text/excerpt.js";
import { parseUriTemplate } from "../../text/uri-template.js";

/** The listed resources that are instances of one template, by their places in the lists. */
export interface TemplateInstances {
  readonly template: number;
  readonly resources: readonly number[];
}

/**
 * Finds the instances of templates among listed resources, which are those whose URIs fit. SDKs list both alike: a server
 * whose template lists what it reads has all of that in `resources/list`. The first template that fits a URI has it.
 *
 * A resource that fits is one of its own if it states another MIME type than the template does, or if no other one is left
 * that fits and it has another description than the template: nothing else would say these.
 */
export function instancesOfTemplates(
  resources: readonly JsonObject[],
  templates: readonly JsonObject[],
): TemplateInstances[] {
  const instances = templates.map(({ uriTemplate }, template) => ({
    template,
    fits: fittingUri(String(uriTemplate)),
    resources: [] as number[],
  }));
  for (const [index, resource] of resources.entries()) {
    const found = instances.find(({ fits }) => fits(String(resource["uri"])));
    const isOwn =
      found !== undefined && statesOther("mimeType", resource, templates[found.template]);
    if (!isOwn) found?.resources.push(index);
  }
  return instances.filter(({ template, resources: [first, second] }) => {
    if (first === undefined) return false;
    const { description = "" } = resources[first] ?? {};
    return (
      second !== undefined ||
      description === "" ||
      description === templates[template]?.["description"]
    );
  });
}

/** True if both state something, and not the same. */
const statesOther = (key: string, one: JsonObject, other: JsonObject = {}): boolean =>
  one[key] !== undefined && other[key] !== undefined && one[key] !== other[key];

/** Whether a URI is that of an instance. One without any value, as of `a://b{?c}`, is a resource of its own. */
function fittingUri(uriTemplate: string): (uri: string) => boolean {
  const parsed = parseUriTemplate(uriTemplate);
  if (!parsed.ok) return () => false;
  const match = uriMatcher(parsed.parts);
  return (uri) => Object.keys(match(uri) ?? {}).length > 0;
}

/** Says what becomes of the instances of a template, as the end of `resource template "…": …`. */
export function instancesInWords(uris: readonly unknown[], isProxy: boolean): string {
  const first = JSON.stringify(excerpt(String(uris[0])));
  const isOne = uris.length === 1;
  const fitting = isOne
    ? `the listed resource ${first} fits it`
    : `${uris.length} listed resources fit it, ${first} first`;
  if (isProxy)
    return `${fitting}: the proxy lists ${isOne ? "this" : "these"}, and none that comes later`;
  return isOne
    ? `${fitting}, is left out, and comes from \`list: code\` here`
    : `${fitting}, are left out, and come from \`list: code\` here`;
}
