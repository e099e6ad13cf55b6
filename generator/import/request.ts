import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { NotImportable, type ApiDocument } from "./api-document.js";
import { nameOfOperation, type Operation } from "./operations.js";
import { RequestArguments, type LeftOut } from "./request-arguments.js";
import { BodyReading } from "./request-body.js";
import { ParameterReading } from "./request-parameters.js";
import type { SharedSchemas } from "./shared-schemas.js";

/** What callers give, and the request that is made of it. */
export interface Request {
  readonly inputSchema: JsonObject;
  /** The keys of the `http` body but for the upstream. */
  readonly http: JsonObject;
  readonly leftOut: readonly LeftOut[];
}

/** What else is known of a request. */
export interface RequestContext {
  /** The media type that the answer is to have; undefined where it has no other. */
  readonly accept?: string;
  /** Parameters that the upstream's credentials fill: `query key`. */
  readonly filled: ReadonlySet<string>;
}

/**
 * @throws {NotImportable} where an `http` body cannot say the request
 */
export function requestOf(
  document: ApiDocument,
  operation: Operation,
  shared: SharedSchemas,
  { accept, filled }: RequestContext,
): Request {
  const { method, route } = operation;
  if (!route.startsWith("/"))
    throw new NotImportable("has a path that begins with no slash", operation.path);
  if (method === "TRACE") throw new NotImportable("has the method TRACE", operation.path);
  const given = new RequestArguments(shared);
  const reading = new ParameterReading(document, operation, shared, given, filled);
  const { path, query, headers, cookies } = reading.read();
  const content = new BodyReading(document, operation, shared, given).read(reading.parameters);
  const isAsked =
    accept !== undefined && !Object.keys(headers).some((name) => /^accept$/i.test(name));
  const mediaTypes = {
    ...(isAsked && { Accept: accept }),
    ...(content.mediaType !== undefined && { "Content-Type": content.mediaType }),
  };
  const http: JsonObject = {
    ...(method !== "GET" && { method }),
    path,
    ...withMembers("query", query),
    ...withMembers("headers", { ...headers, ...mediaTypes }),
    ...withMembers("cookies", cookies),
    ...content.keys,
  };
  const inputSchema = given.inputSchema(operation.path);
  return { inputSchema, http: inShort(http), leftOut: given.leftOut };
}

function withMembers(key: string, values: JsonObject): JsonObject {
  return Object.keys(values).length === 0 ? {} : { [key]: values };
}

/** Arguments that go where they would go anyway need not be named. */
function inShort(http: JsonObject): JsonObject {
  const { query, body, form, multipart, text, method = "GET", ...rest } = http;
  const isBodiless = ["GET", "HEAD", "DELETE"].includes(String(method));
  const isUsual = (values: JsonValue | undefined) =>
    entriesAreNamesakes(values) &&
    [query, body].filter((value) => value !== undefined).length === 1;
  const mayGo = form === undefined && multipart === undefined && text === undefined;
  const withoutQuery = mayGo && isBodiless && isUsual(query);
  const withoutBody = mayGo && !isBodiless && isUsual(body);
  return {
    ...("method" in http && { method }),
    ...rest,
    ...(query !== undefined && !withoutQuery && { query }),
    ...(body !== undefined && !withoutBody && { body }),
    ...(form !== undefined && { form }),
    ...(multipart !== undefined && { multipart }),
    ...(text !== undefined && { text }),
  };
}

function entriesAreNamesakes(values: JsonValue | undefined): boolean {
  if (!isJsonObject(values)) return false;
  const entries = Object.entries(values);
  return entries.length > 0 && entries.every(([name, value]) => value === `{{${name}}}`);
}

/** An operation in words, for descriptions of tools that the document does not describe. */
export function fallbackDescription(operation: Operation): string {
  return `Calls ${nameOfOperation(operation)}.`;
}
