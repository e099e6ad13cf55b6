import {
  isJSONRPCErrorResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type McpServer,
} from "@modelcontextprotocol/server";
import { printable } from "../engine/printable.js";
import { isObject, textMember } from "../engine/request-parameters.js";

/** Most findings that a message has. */
const maxFindings = 3;

/** Longest description of a finding, in characters. */
const maxFindingLength = 200;

/**
 * Makes an SDK server describe in words why it refuses a request. It would send the JSON of what its schemas
 * have found, and for some methods as an internal error.
 */
export function describeRefusals({ server }: McpServer): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withDescription(message), options);
    await connect(transport);
  };
}

function withDescription(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message) || !isJSONRPCErrorResponse(message)) return message;
  const { code, message: text } = message.error;
  const start = text.search(/\[\s*\{/);
  const findings = start === -1 ? undefined : findingsIn(text.slice(start));
  if (findings === undefined) return message;
  const error: JSONRPCErrorResponse["error"] = {
    ...message.error,
    code: code === -32603 ? -32602 : code,
    message: `${text.slice(0, start).trim() || "Invalid params:"} ${findings}`,
  };
  return { ...message, error };
}

/** The findings in the JSON of a schema's error as text; undefined if the text is no such JSON. */
function findingsIn(json: string): string | undefined {
  let findings: unknown;
  try {
    findings = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!Array.isArray(findings)) return undefined;
  const texts = findings.slice(0, maxFindings).map((finding: unknown) => {
    const path = isObject(finding) && Array.isArray(finding["path"]) ? finding["path"] : [];
    const problem = textMember(finding, "message") ?? "Invalid input";
    const place = path.length === 0 ? "" : `${path.join(".")}: `;
    return printable(`${place}${problem}`, maxFindingLength);
  });
  return texts.join("; ");
}
