import type { IncomingHttpHeaders } from "node:http";
import { isUtf8 } from "node:buffer";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isSpecType,
  PROTOCOL_VERSION_META_KEY,
  type ClientCapabilities,
} from "@modelcontextprotocol/server";
import { hasOnly, isObject, type RequestParameters } from "./request-parameters.js";

/** The one revision whose requests stand alone, so that each can be answered by itself. */
export const revision = "2026-07-28";

/** A request with nothing about it that only the SDK knows how to answer. */
export interface PlainRequest {
  readonly id: string | number;
  readonly method: PlainMethod;
  readonly parameters: RequestParameters;
  /** What the client has declared. */
  readonly capabilities: ClientCapabilities;
}

/** The methods that are answered without the SDK, each with the parameters that it may have. */
const plainMethods = {
  "server/discover": [],
  "tools/list": [],
  "resources/list": [],
  "resources/templates/list": [],
  "prompts/list": [],
  "tools/call": ["name", "arguments"],
  "resources/read": ["uri"],
  "prompts/get": ["name", "arguments"],
  "completion/complete": ["ref", "argument", "context"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PlainMethod = keyof typeof plainMethods;

/** Where the `Mcp-Name` header must repeat a parameter, and which. */
const namedBy: Partial<Readonly<Record<PlainMethod, string>>> = {
  "tools/call": "name",
  "resources/read": "uri",
  "prompts/get": "name",
};

/** Whether the headers are those of a plain request. Host and origin are for the caller to check. */
export function hasPlainHeaders(headers: IncomingHttpHeaders): boolean {
  return (
    headers["mcp-protocol-version"] === revision &&
    isPlainMethod(headers["mcp-method"]) &&
    headers["content-type"] === "application/json" &&
    headers["content-length"] !== undefined &&
    headers["transfer-encoding"] === undefined &&
    headers["content-encoding"] === undefined &&
    headers["mcp-session-id"] === undefined &&
    headers["last-event-id"] === undefined
  );
}

/**
 * The request in a body, or undefined where there is any doubt about it: the SDK then looks at the
 * same bytes and finds the right words. Nothing is refused here.
 */
export function readPlainRequest(
  headers: IncomingHttpHeaders,
  body: Buffer,
): PlainRequest | undefined {
  const message = parse(body);
  if (!isObject(message) || !hasOnly(message, ["jsonrpc", "id", "method", "params"])) {
    return undefined;
  }
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || !(typeof id === "string" || Number.isSafeInteger(id))) return undefined;
  if (!isPlainMethod(method) || method !== headers["mcp-method"]) return undefined;
  if (!isObject(params)) return undefined;
  const capabilities = capabilitiesIn(params["_meta"]);
  if (capabilities === undefined) return undefined;
  if (!hasOnly(params, ["_meta", ...plainMethods[method]])) return undefined;
  if (!isNamed(headers["mcp-name"], params, namedBy[method])) return undefined;
  return { id: id as string | number, method, parameters: params, capabilities };
}

function isPlainMethod(method: unknown): method is PlainMethod {
  return typeof method === "string" && Object.hasOwn(plainMethods, method);
}

function parse(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/**
 * What a client declares in an envelope that has its three keys and no other: the others ask for
 * progress, logs or extensions.
 */
function capabilitiesIn(meta: unknown): ClientCapabilities | undefined {
  if (!isObject(meta) || !hasOnly(meta, envelopeKeys)) return undefined;
  const {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    [CLIENT_INFO_META_KEY]: info,
  } = meta;
  if (version !== revision || !isObject(capabilities)) return undefined;
  if (!hasOnly(capabilities, []) && !isSpecType.ClientCapabilities(capabilities)) return undefined;
  if (info !== undefined && !isImplementation(info)) return undefined;
  return capabilities as ClientCapabilities;
}

const envelopeKeys = [
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
];

function isImplementation(info: unknown): boolean {
  if (!isObject(info)) return false;
  const { name, version } = info;
  const isShort = typeof name === "string" && typeof version === "string";
  return isShort && hasOnly(info, ["name", "version"]) ? true : isSpecType.Implementation(info);
}

/** Names that a header cannot carry as they are come encoded; those are left to the SDK. */
function isNamed(
  header: string | string[] | undefined,
  parameters: RequestParameters,
  parameter: string | undefined,
): boolean {
  if (parameter === undefined) return header === undefined;
  return (
    typeof header === "string" &&
    header === parameters[parameter] &&
    /^[!-~]+$/.test(header) &&
    !header.startsWith("=?")
  );
}
