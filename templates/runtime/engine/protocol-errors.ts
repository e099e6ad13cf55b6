import type { Logger } from "../observe/log.js";
import { NotImplementedError, ProtocolError, publicMessage, RequestRefused } from "./errors.js";
import { inspectable } from "./describe-error.js";

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
