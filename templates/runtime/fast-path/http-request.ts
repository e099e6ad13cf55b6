import type { IncomingHttpHeaders } from "node:http";
import {
  readFastPathRequest,
  revision,
  type FastPathMethods,
  type FastPathRequest,
} from "./request.js";
import { parseMessage } from "../engine/message-json.js";
import type { RequestParameters } from "../engine/request-parameters.js";

/** The parameter that the `Mcp-Name` header must repeat, by method. */
const nameParameters: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "resources/read": "uri",
  "prompts/get": "name",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** Whether the headers are those of a request of 2026-07-28 that can be answered without the SDK. */
export function hasFastPathHeaders(
  headers: IncomingHttpHeaders,
  methods: FastPathMethods,
): boolean {
  const { "mcp-protocol-version": version, "mcp-method": method } = headers;
  return version === revision && typeof method === "string" && methods.has(method);
}

/** Whether the headers are those of a JSON body outside of any session. The caller checks host and origin. */
export function hasFastPathBody(headers: IncomingHttpHeaders): boolean {
  return (
    headers["content-type"] === "application/json" &&
    headers["content-length"] !== undefined &&
    headers["transfer-encoding"] === undefined &&
    headers["content-encoding"] === undefined &&
    headers["mcp-session-id"] === undefined &&
    headers["last-event-id"] === undefined
  );
}

/** The request in a body; undefined if it is invalid or unusual. */
export function readFastPathBody(
  headers: IncomingHttpHeaders,
  body: Buffer,
  methods: FastPathMethods,
): FastPathRequest | undefined {
  const request = readFastPathRequest(parseBody(body), methods);
  if (request === undefined || request.name !== headers["mcp-method"]) return undefined;
  const { name, parameters } = request;
  return repeatsParameter(headers["mcp-name"], parameters, nameParameters[name])
    ? request
    : undefined;
}

/** The JSON value of a body; undefined if it may be invalid. */
export function parseBody(body: Buffer): unknown {
  const text = body.toString();
  // This character replaces invalid UTF-8, or the client sent it: the SDK decides.
  if (text.includes("\ufffd")) return undefined;
  try {
    return parseMessage(text);
  } catch {
    return undefined;
  }
}

/** Whether the header repeats the parameter. Encoded headers are left to the SDK. */
function repeatsParameter(
  header: string | string[] | undefined,
  parameters: RequestParameters,
  parameter: string | undefined,
): boolean {
  if (parameter === undefined) return header === undefined;
  return (
    typeof header === "string" &&
    header === parameters[parameter] &&
    isVisible(header) &&
    !header.startsWith("=?")
  );
}

/** Whether a text has one or more characters, all of them visible ASCII. */
function isVisible(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x21 || code > 0x7e) return false;
  }
  return text !== "";
}
