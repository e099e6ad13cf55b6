import type { JsonObject, JsonValue } from "../../model/json.js";
import type { ResourceTemplateModel, UriTemplatePart } from "../../model/server-model.js";

/** A URI that matches a template, and the values that the handler must receive. */
export interface UriInstance {
  readonly uri: string;
  readonly variables: JsonObject;
}

/**
 * URIs that match a template: one with all variables, one with the query in reverse order, one without a query.
 * Their values have characters that must be encoded, so that wrong decoding is noticed.
 */
export function matchingUris({ parts }: ResourceTemplateModel): UriInstance[] {
  const path = parts.filter((part) => !isQuery(part)).map(instanceOf);
  const query = parts.filter(isQuery).flatMap(({ names }) => names.map(queryPair));
  const instance = (pairs: readonly UriPart[]): UriInstance => {
    const start = path.map(({ text }) => text).join("");
    const end = pairs.map(({ text }) => text).join("&");
    return {
      uri: end === "" ? start : `${start}?${end}`,
      variables: Object.fromEntries([...path, ...pairs].flatMap(({ values }) => values)),
    };
  };
  if (query.length === 0) return [instance([])];
  return [instance(query), instance([...query].reverse()), instance([])];
}

/** URIs of the template's form that must be refused: a variable of a path is `..`, or is encoded wrongly. */
export function escapingUris({ parts }: ResourceTemplateModel): string[] {
  const hasVariable = parts.some((part) => part.kind === "expression" && !isQuery(part));
  if (!hasVariable) return [];
  return ["..", "%2e%2e", "%zz"].map((value) =>
    parts
      .filter((part) => !isQuery(part))
      .map((part) => (part.kind === "literal" ? part.text : prefixOf(part) + value))
      .join(""),
  );
}

type QueryExpression = Expression & { readonly operator: "?" };
type Expression = Extract<UriTemplatePart, { kind: "expression" }>;

/** A part of a URI, and the values that it encodes. */
interface UriPart {
  readonly text: string;
  readonly values: readonly (readonly [name: string, value: JsonValue])[];
}

function isQuery(part: UriTemplatePart): part is QueryExpression {
  return part.kind === "expression" && part.operator === "?";
}

function prefixOf({ operator }: Expression): string {
  return operator === "/" || operator === "." ? operator : "";
}

function instanceOf(part: UriTemplatePart): UriPart {
  if (part.kind === "literal") return { text: part.text, values: [] };
  const name = part.names[0] ?? "";
  if (part.explode) {
    const list = ["first é", "second"];
    const text = list.map((item) => `/${encodeURIComponent(item)}`).join("");
    return { text, values: [[name, list]] };
  }
  const value = part.operator === "+" ? "über/all" : "a&b é";
  const encoded = part.operator === "+" ? encodeURI(value) : encodeURIComponent(value);
  return { text: prefixOf(part) + encoded, values: [[name, value]] };
}

function queryPair(name: string, index: number): UriPart {
  const value = `q${index + 1}=é&`;
  return { text: `${name}=${encodeURIComponent(value)}`, values: [[name, value]] };
}
