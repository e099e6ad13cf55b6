import { parseJSONRPCMessage, type JSONRPCMessage } from "@modelcontextprotocol/server";

/** Reads a JSON value as a message; undefined if it is none. */
export function messageIn(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}
