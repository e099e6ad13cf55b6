import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { NotImportable, type ApiDocument } from "./api-document.js";
import { nameOfOperation, type Operation } from "./operations.js";
import { RequestArguments, type OmittedPart } from "./request-arguments.js";
import { BodyReader } from "./request-body.js";
import { ParameterReader } from "./request-parameters.js";
import type { SharedSchemas } from "./shared-schemas.js";

/** The request of a tool, and the arguments that it is made from. */
export interface Request {
  readonly inputSchema: JsonObject;
  /** The keys of the `http` body, except the upstream. */
  readonly http: JsonObject;
  readonly leftOut: readonly OmittedPart[];
}

/** Values for a request that come from other parts of the operation. */
export interface RequestContext {
  /** The media type to request for the answer. Absent if the API has only one. */
  readonly accept?: string;
  /** Parameters that the upstream's credentials fill: `query key`. */
  readonly filledNames: ReadonlySet<string>;
}

/**
 * Makes the request of an operation.
 *
 * @throws {NotImportable} if an `http` body cannot send it
 */
export function requestOf(
  document: ApiDocument,
  operation: Operation,
  shared: SharedSchemas,
  { accept, filledNames }: RequestContext,
): Request {
  const { method, route } = operation;
  if (!route.startsWith("/"))
    throw new NotImportable("has a path that begins with no slash", operation.path);
  if (method === "TRACE") throw new NotImportable("has the method TRACE", operation.path);
  const args = new RequestArguments(shared);
  const reading = { document, operation, shared, args };
  const parameterReader = new ParameterReader(reading, filledNames);
  const { path, query, headers, cookies } = parameterReader.read();
  const content = new BodyReader(reading).read(parameterReader.parameters);
  const needsAccept =
    accept !== undefined && !Object.keys(headers).some((name) => /^accept$/i.test(name));
  const mediaTypes = {
    ...(needsAccept && { Accept: accept }),
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
  const inputSchema = args.inputSchema(operation.path);
  return { inputSchema, http: withoutImplicitArguments(http), leftOut: args.leftOut };
}

function withMembers(key: string, values: JsonObject): JsonObject {
  return Object.keys(values).length === 0 ? {} : { [key]: values };
}

/** Leaves out the query or the body, if the arguments would be sent there in any case. */
function withoutImplicitArguments(http: JsonObject): JsonObject {
  const { query, body, form, multipart, text, method = "GET", ...others } = http;
  const isBodiless = ["GET", "HEAD", "DELETE"].includes(String(method));
  const isImplicit = (values: JsonValue | undefined) =>
    sendsArgumentsOfSameNames(values) &&
    [query, body].filter((value) => value !== undefined).length === 1;
  const hasNoOtherContent = form === undefined && multipart === undefined && text === undefined;
  const withoutQuery = hasNoOtherContent && isBodiless && isImplicit(query);
  const withoutBody = hasNoOtherContent && !isBodiless && isImplicit(body);
  return {
    ...("method" in http && { method }),
    ...others,
    ...(query !== undefined && !withoutQuery && { query }),
    ...(body !== undefined && !withoutBody && { body }),
    ...(form !== undefined && { form }),
    ...(multipart !== undefined && { multipart }),
    ...(text !== undefined && { text }),
  };
}

/** True if each entry sends the argument of the same name. */
function sendsArgumentsOfSameNames(values: JsonValue | undefined): boolean {
  if (!isJsonObject(values)) return false;
  const entries = Object.entries(values);
  return entries.length > 0 && entries.every(([name, value]) => value === `{{${name}}}`);
}

/** The description of a tool whose operation has no description in the document. */
export function fallbackDescription(operation: Operation): string {
  return `Calls ${nameOfOperation(operation)}.`;
}
