import { isObject } from "./request-parameters.js";

/** The bytes of a message without the byte-order mark that some clients put before it. */
export function withoutMark(message: Buffer): Buffer {
  const hasMark = message[0] === 0xef && message[1] === 0xbb && message[2] === 0xbf;
  return hasMark ? message.subarray(3) : message;
}

/**
 * Parses the JSON of a message or a batch. What clients write as null, or as an empty cursor, where they have nothing to say
 * is left out.
 * @throws SyntaxError if it is not JSON
 */
export function parseMessage(json: string): unknown {
  const value: unknown = JSON.parse(json);
  if (Array.isArray(value)) value.forEach(leaveOutAbsent);
  else leaveOutAbsent(value);
  return value;
}

function leaveOutAbsent(message: unknown): void {
  if (!isObject(message)) return;
  const { params } = message as Record<string, unknown>;
  if (params === null) delete (message as { params?: null }).params;
  if (!isObject(params)) return;
  const members = params as Record<string, unknown>;
  for (const name in members) if (members[name] === null) delete members[name];
  if (members["cursor"] === "") delete members["cursor"];
  const { _meta: meta } = members as { _meta?: Record<string, unknown> };
  if (isObject(meta) && meta["progressToken"] === null) {
    delete (meta as { progressToken?: null }).progressToken;
  }
}
