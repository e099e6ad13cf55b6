import type { Resource } from "@modelcontextprotocol/server";
import { isDeepStrictEqual } from "node:util";
import type { ResourceTemplateEntry, UriTemplatePart } from "./definition.js";
import { InvalidResultError } from "../engine/errors.js";
import { resultLength } from "../engine/json-result.js";
import type { Limits } from "../engine/limits.js";
import { isObject } from "../engine/request-parameters.js";
import { loadSpecTypes } from "../engine/content.js";
import { uriMatcher, type UriVariables } from "./uri-template.js";

/** An instance of a template, as the template's list handler returns it. */
export type ListedInstance<Variables = UriVariables> = Pick<
  Resource,
  "name" | "title" | "description" | "mimeType" | "size" | "annotations" | "icons"
> & {
  /**
   * The values of the template's variables, not encoded, from which the URI is made. Values in the path must not be
   * empty, `.` or `..`, and only that of a `{+x}` may have slashes.
   */
  readonly variables: Variables;
  /** The `_meta` of the listed resource. */
  readonly meta?: Readonly<Record<string, unknown>>;
};

/**
 * Converts the result of a list handler to items of `resources/list`.
 * @param limits The largest number of items, and their longest JSON.
 * @throws InvalidResultError (by its promise) if it is no list of instances, too long or not JSON, or the URI of one
 * does not match the template with the same values
 */
export async function toListedResources(
  { definition, parts, raw = false }: ResourceTemplateEntry,
  returned: unknown,
  limits: Pick<Limits, "elements" | "resultLength">,
): Promise<Resource[]> {
  const { name } = definition;
  if (!Array.isArray(returned)) {
    throw new InvalidResultError(`The list of template ${name} returned no list`);
  }
  if (returned.length > limits.elements) {
    throw new InvalidResultError(`The list of template ${name} returned too many instances`);
  }
  const specTypes = await loadSpecTypes();
  const match = uriMatcher(parts, raw);
  const listed = returned.map((instance: unknown, index) => {
    const { variables, meta, ...rest } = isObject(instance) ? instance : {};
    const values = (isObject(variables) ? variables : {}) as UriVariables;
    const uri = expandUri(parts, values);
    const { mimeType } = definition;
    const resource = {
      uri,
      ...(mimeType === undefined ? {} : { mimeType }),
      ...rest,
      ...(isObject(meta) ? { _meta: meta } : {}),
    };
    const isRead = isDeepStrictEqual(match(uri), withoutAbsent(values));
    if (!isRead || !specTypes.Resource(resource)) {
      throw new InvalidResultError(`The list of template ${name} returned a wrong instance`, [
        `/${index}: ${isRead ? NO_RESOURCE : NOT_READ}`,
      ]);
    }
    return resource;
  });
  if (resultLength(`The list of template ${name}`, listed) > limits.resultLength) {
    throw new InvalidResultError(`The list of template ${name} returned too long a list`);
  }
  return listed;
}

const NO_RESOURCE = "it has no name, or a field that no resource has in this form";
const NOT_READ =
  'its variables cannot be read from its URI: those of a path are not empty, "." or "..", hold no slash that the template does not allow, and, without `raw: true`, nothing that some file systems take for another place';

function withoutAbsent(values: UriVariables): UriVariables {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Makes the URI of a template's instance. An absent value is left out. */
export function expandUri(parts: readonly UriTemplatePart[], values: UriVariables): string {
  return parts.map((part) => (part.kind === "literal" ? part.text : expand(part, values))).join("");
}

function expand(
  { operator, names }: Extract<UriTemplatePart, { kind: "expression" }>,
  values: UriVariables,
): string {
  const encoded = names.flatMap((name) => {
    const given = Object.hasOwn(values, name) ? [values[name] ?? []].flat() : [];
    const all = given.map((value) => encode(value, operator === "+"));
    return all.length === 0 ? [] : [[name, all.join("/")] as const];
  });
  if (operator === "?") {
    const pairs = encoded.map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  }
  const start = operator === "/" || operator === "." ? operator : "";
  return encoded.map(([, value]) => start + value).join("");
}

/** Encodes all but the unreserved characters of RFC 3986, and the slashes of a value that may span segments. */
function encode(value: string, spans: boolean): string {
  const steps = spans ? value.split("/") : [value];
  return steps.map(encodeStep).join("/");
}

function encodeStep(step: string): string {
  return encodeURIComponent(step).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
