import type { IncomingHttpHeaders } from "node:http";
import {
  readFastPathRequest,
  revision,
  type FastPathMethods,
  type FastPathRequest,
} from "./request.js";
import type { RequestParameters } from "../engine/request-parameters.js";

/** Where the `Mcp-Name` header must repeat a parameter, and which. */
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "resources/read": "uri",
  "prompts/get": "name",
};

/** Whether the headers are those of a request of 2026-07-28 that can be answered without the SDK. */
export function hasFastPathHeaders(
  headers: IncomingHttpHeaders,
  methods: FastPathMethods,
): boolean {
  const { "mcp-protocol-version": version, "mcp-method": method } = headers;
  return version === revision && typeof method === "string" && methods.has(method);
}

/** Whether a request of any era comes with a whole body of JSON, alone. Host and origin are for the caller to check. */
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

/** The request in a body, or undefined where there is any doubt about it. */
export function readFastPathBody(
  headers: IncomingHttpHeaders,
  body: Buffer,
  methods: FastPathMethods,
): FastPathRequest | undefined {
  const request = readFastPathRequest(parseBody(body), methods);
  if (request === undefined || request.name !== headers["mcp-method"]) return undefined;
  const { name, parameters } = request;
  return isNamed(headers["mcp-name"], parameters, namedBy[name]) ? request : undefined;
}

/** The JSON value of a body; undefined where there is any doubt about it. */
export function parseBody(body: Buffer): unknown {
  const text = body.toString();
  // Stands in place of bytes that are no UTF-8, or was sent as it is: the SDK knows.
  if (text.includes("\ufffd")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
    isVisible(header) &&
    !header.startsWith("=?")
  );
}

/** Whether a text is of visible ASCII characters alone, and has one. */
function isVisible(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x21 || code > 0x7e) return false;
  }
  return text !== "";
}
