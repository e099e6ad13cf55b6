import type { BodyValue, HttpBodyModel, NamedValues, PathPart } from "../../model/bodies.js";
import type { JsonValue } from "../../model/json.js";
import type { ManifestHttpBody, ManifestHttpExample } from "../../model/manifest.js";
import type { HttpAnswerModel, HttpPagesModel } from "../../model/bodies.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { pickDefined } from "../pick.js";
import { argumentsOf, argumentValue, jsonValue, namedValues, textValue } from "./values.js";

/** @param arguments_ the names of all arguments, in the order of the schema */
export function normalizeHttp(
  body: ManifestHttpBody,
  arguments_: readonly string[],
): HttpBodyModel {
  const names: ReadonlySet<string> = new Set(arguments_);
  const path = pathParts(body.path, names);
  const headers = namedValues(body.headers, names);
  const cookies = namedValues(body.cookies, names);
  const method = body.method ?? "GET";
  const own = { query: namedValues(body.query as Values, names), content: contentOf(body, names) };
  const rest = arguments_.filter((name) => !usedIn(path, headers, cookies).has(name));
  const { query, content } = saysWhereArgumentsGo(body) ? own : impliedPlaces(method, rest);
  return {
    kind: "http",
    upstream: body.upstream,
    method,
    path,
    ...{ query, headers, cookies },
    ...(content !== undefined && { content }),
    result: pickDefined(body.result ?? {}, ["from", "fields", "maxBytes", "truncate"]),
    ...(body.paginate !== undefined && { pages: pagesOf(body.paginate) }),
    errors: Object.entries(body.errors ?? {}).map(([status, text]) => ({
      status: Number(status),
      text: parseTextTemplate(text, names).template,
    })),
  };
}

type Values = Readonly<Record<string, JsonValue>> | undefined;

/** Whether the manifest says itself what goes where. */
function saysWhereArgumentsGo(body: object): boolean {
  return ["query", "body", "form", "multipart", "text"].some((key) => Object.hasOwn(body, key));
}

/** A literal part of a path with the characters encoded that a path cannot have. */
function encodedLiteral(text: string): string {
  return encodeURI(text)
    .replace(/%25(?=[0-9A-Fa-f]{2})/g, "%")
    .replace(/[?#]/g, encodeURIComponent);
}

function pathParts(path: ManifestHttpBody["path"], names: ReadonlySet<string>): PathPart[] {
  const isPlain = typeof path === "string";
  const { template, values } = isPlain ? { template: path, values: {} } : path;
  const allowed = isPlain ? names : new Set([...names, ...Object.keys(values)]);
  return parseTextTemplate(template, allowed).template.flatMap((part): PathPart[] => {
    if (typeof part === "string") return [encodedLiteral(part)];
    if (!("argument" in part)) return [];
    const { from, ...style } = values[part.argument] ?? { from: part.argument };
    const named = style.style === "matrix" ? { ...style, name: part.argument } : style;
    return [argumentValue(from, named as Record<string, JsonValue>)];
  });
}

function usedIn(path: readonly PathPart[], ...values: readonly NamedValues[]): ReadonlySet<string> {
  const inPath = path.flatMap((part) => (typeof part === "string" ? [] : [part.argument]));
  return new Set([...inPath, ...values.flat().flatMap(([, value]) => argumentsOf(value))]);
}

/** Arguments that nothing else uses go to the query, or to the JSON of methods that send something. */
function impliedPlaces(
  method: HttpBodyModel["method"],
  rest: readonly string[],
): Pick<HttpBodyModel, "query" | "content"> {
  const members = rest.map((name) => [name, argumentValue(name)] as const);
  const isInQuery = ["GET", "HEAD", "DELETE", "OPTIONS"].includes(method);
  if (isInQuery) return { query: members };
  if (members.length === 0) return { query: [] };
  return { query: [], content: { kind: "json", value: { kind: "object", members } } };
}

function contentOf(
  { body, form, multipart, text }: ManifestHttpBody,
  names: ReadonlySet<string>,
): HttpBodyModel["content"] {
  if (body !== undefined) return { kind: "json", value: jsonValue(body as JsonValue, names) };
  if (form !== undefined) return { kind: "form", values: namedValues(form as Values, names) };
  if (multipart !== undefined)
    return { kind: "multipart", values: namedValues(multipart as Values, names) };
  if (text === undefined) return undefined;
  const value: BodyValue = textValue(text, names);
  return { kind: "text", value };
}

function pagesOf({
  cursor,
  page,
  link,
  maxPages = 10,
}: NonNullable<ManifestHttpBody["paginate"]>): HttpPagesModel {
  return {
    ...(cursor !== undefined && { cursor: { query: cursor.query, from: cursor.from } }),
    ...(page !== undefined && { page: { query: page.query, first: page.first ?? 1 } }),
    ...(link !== undefined && { link }),
    maxPages,
  };
}

/** What the upstream answers in an example. */
export function normalizeAnswer(answer: ManifestHttpExample): HttpAnswerModel {
  return {
    status: answer.status ?? 200,
    headers: answer.headers ?? {},
    ...pickDefined(answer as { body?: JsonValue; text?: string }, ["body", "text"]),
  };
}
