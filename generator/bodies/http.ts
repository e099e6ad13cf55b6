import type {
  BodyValue,
  HttpBodyModel,
  NamedValues,
  PathPart,
  StatusError,
} from "../model/bodies.js";
import type { JsonValue } from "../model/json.js";
import type { ManifestHttpBody } from "../model/manifest.js";
import type { HttpPagesModel, HttpResultModel } from "../model/bodies.js";
import { answerPlaceholders } from "../text/answer-placeholders.js";
import { callerPlaceholders, mentionsCaller } from "../text/caller-placeholders.js";
import { parseTextTemplate } from "../text/text-template.js";
import { pickDefined } from "../model/pick.js";
import { CURSOR } from "../selection/envelope.js";
import { compareRequests, requestRules } from "./http-comparison.js";
import { NOT_NULL, type BodyDefinition, type BodyOwner } from "./definition.js";
import { argumentsOf, argumentValue, jsonValue, namedValues, textValue } from "./values.js";

/** The statuses after which a request is repeated. */
export const USUAL_STATUSES = [429, 502, 503, 504];

/** `http`: a request. */
export const http: BodyDefinition<HttpBodyModel, ManifestHttpBody> = {
  words: "a request of the manifest",
  isSource: true,
  service: "upstreams",
  starter: "an http request",
  read: readRequest,
  selected: ({ paginate }) => ({
    under: "result",
    answer: paginate === undefined ? NOT_NULL : { type: "array" },
  }),
  writing: ({ method }) => {
    const name = typeof method === "string" ? method.toUpperCase() : "GET";
    if (name === "GET" || name === "HEAD") return undefined;
    return { under: "method", words: `its request is a ${name}` };
  },
  rules: requestRules,
  compare: compareRequests,
};

function readRequest(
  body: ManifestHttpBody,
  { arguments: all, claims = {} }: BodyOwner,
): HttpBodyModel {
  const isExposed = body.paginate?.expose === true;
  const arguments_ = isExposed ? all.filter((name) => name !== CURSOR) : all;
  const usesCaller = mentionsCaller(body);
  const names = new Set([...arguments_, ...(usesCaller ? callerPlaceholders(claims) : [])]);
  const path = pathParts(body.path, names);
  const headers = namedValues(body.headers, names);
  const cookies = namedValues(body.cookies, names);
  const method = body.method ?? "GET";
  const used = argumentsOfRequest(path, headers, cookies);
  const { query, content } = placesArguments(body)
    ? { query: namedValues(body.query as Values, names), content: contentOf(body, names) }
    : placeArguments(
        method,
        arguments_.filter((name) => !used.has(name)),
      );
  return {
    kind: "http",
    upstream: body.upstream,
    method,
    path,
    ...{ query, headers, cookies },
    ...(content !== undefined && { content }),
    ...(usesCaller && { claims }),
    result: resultOf(body.result ?? {}, names),
    ...(body.retries !== undefined && {
      retries: { max: body.retries.max, on: body.retries.on ?? USUAL_STATUSES },
    }),
    ...(body.paginate !== undefined && { pages: pagesOf(body.paginate) }),
    errors: Object.entries(body.errors ?? {}).map(([status, text]) =>
      statusError(Number(status), text, names),
    ),
  };
}

function resultOf(
  result: NonNullable<ManifestHttpBody["result"]>,
  names: ReadonlySet<string>,
): HttpResultModel {
  const { noContent } = result;
  return {
    ...pickDefined(result, ["from", "fields", "empty", "headers", "maxBytes", "truncate"]),
    ...(noContent !== undefined && { noContent: jsonValue(noContent as JsonValue, names) }),
  };
}

function statusError(status: number, text: string, names: ReadonlySet<string>): StatusError {
  const ofAnswer = answerPlaceholders(text).filter((name) => !names.has(name));
  const { template } = parseTextTemplate(text, new Set([...names, ...ofAnswer]));
  return { status, text: template, ...(ofAnswer.length > 0 && { ofAnswer }) };
}

type Values = Readonly<Record<string, JsonValue>> | undefined;

/** True if the manifest says where in the request arguments go. */
function placesArguments(body: object): boolean {
  return ["query", "body", "form", "multipart", "text"].some((key) => Object.hasOwn(body, key));
}

/** Encodes the characters that a path cannot have. Sequences that are encoded already stay. */
function encodedLiteral(text: string): string {
  return encodeURI(text)
    .replace(/%25(?=[0-9A-Fa-f]{2})/g, "%")
    .replace(/[?#]/g, encodeURIComponent);
}

function pathParts(path: ManifestHttpBody["path"], names: ReadonlySet<string>): PathPart[] {
  const isText = typeof path === "string";
  const { template, values } = isText ? { template: path, values: {} } : path;
  const allowed = isText ? names : new Set([...names, ...Object.keys(values)]);
  return parseTextTemplate(template, allowed).template.flatMap((part): PathPart[] => {
    if (typeof part === "string") return [encodedLiteral(part)];
    if (!("argument" in part)) return [];
    const { from, ...style } = values[part.argument] ?? { from: part.argument };
    const named = style.style === "matrix" ? { ...style, name: part.argument } : style;
    return [argumentValue(from, named as Record<string, JsonValue>)];
  });
}

function argumentsOfRequest(
  path: readonly PathPart[],
  ...values: readonly NamedValues[]
): ReadonlySet<string> {
  const inPath = path.flatMap((part) => (typeof part === "string" ? [] : [part.argument]));
  return new Set([...inPath, ...values.flat().flatMap(([, value]) => argumentsOf(value))]);
}

/** Places arguments in the query, or in a JSON body if the method sends one. */
function placeArguments(
  method: HttpBodyModel["method"],
  names: readonly string[],
): Pick<HttpBodyModel, "query" | "content"> {
  const members = names.map((name) => [name, argumentValue(name)] as const);
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
  expose,
  maxPages = expose ? 1 : 10,
}: NonNullable<ManifestHttpBody["paginate"]>): HttpPagesModel {
  return {
    ...(cursor !== undefined && { cursor: { query: cursor.query, from: cursor.from } }),
    ...(page !== undefined && { page: { query: page.query, first: page.first ?? 1 } }),
    ...(link !== undefined && { link }),
    maxPages,
    ...(expose !== undefined && { expose }),
  };
}
