import type { JSONRPCErrorResponse } from "@modelcontextprotocol/server";
import type { Logger } from "../observe/log.js";
import { NotImplementedError, ProtocolError, publicMessage, RequestRefused } from "./errors.js";
import { inspectable } from "./describe-error.js";
import { isObject, memberOf, requestIdMember } from "./request-parameters.js";

/** The protocol's error for a failure of the server, -32603. */
function internalError(message: string): ProtocolError {
  return new ProtocolError(-32603, message);
}

/** The JSON-RPC error for a failed handler of a method without `isError`; -32603 unless the handler chose one. */
export function publicError(thrown: unknown, log: Logger): ProtocolError {
  const error = inspectable(thrown);
  if (error instanceof RequestRefused) return error.error;
  if (isProtocolError(error)) return error;
  return internalError(publicMessage(error, log));
}

/** Whether a handler has thrown a `ProtocolError`, of the runtime or of the SDK. */
function isProtocolError(error: unknown): error is ProtocolError {
  try {
    if (!(error instanceof Error) || error.name !== "ProtocolError") return false;
    return "code" in error && Number.isSafeInteger(error.code);
  } catch {
    return false;
  }
}

/** Returns the mock if the handler is not written yet. @throws any other error */
export function mockOf(mock: string, error: unknown): string {
  if (error instanceof NotImplementedError) return mock;
  throw error;
}

/** The error for a JSON value that is no message. */
export const invalidMessage = {
  code: -32600,
  message: "Invalid Request: it is no JSON-RPC message",
} as const;

/**
 * The error for the sender of a message that is refused, or of a JSON value that is none. Undefined if the value
 * has no `id`, like a notification, or is meant as an answer: neither is answered.
 */
export function answerToRefused(
  value: unknown,
  error: JSONRPCErrorResponse["error"],
): JSONRPCErrorResponse | undefined {
  const isAnswer = ["result", "error"].some((name) => memberOf(value, name) !== undefined);
  const isNotification = isObject(value) && memberOf(value, "id") === undefined;
  if (isAnswer || isNotification) return undefined;
  const id = requestIdMember(value, "id");
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), error };
}
