import type { Logger } from "../observe/log.js";
import { NotImplementedError, ProtocolError, publicMessage, RequestRefused } from "./errors.js";
import { askable } from "./describe-error.js";

/** The protocol's error for a request that the server fails to answer, -32603. */
function internalError(message: string): ProtocolError {
  return new ProtocolError(-32603, message);
}

/** A failed handler as a JSON-RPC error, for the methods that have no `isError`: -32603. */
export function publicError(thrown: unknown, log: Logger): ProtocolError {
  const error = askable(thrown);
  if (error instanceof RequestRefused) return error.error;
  if (isProtocolError(error)) return error;
  return internalError(publicMessage(error, log));
}

/** Whether a handler has thrown an error of the protocol: this module's, or the SDK's own. */
function isProtocolError(error: unknown): error is ProtocolError {
  try {
    if (!(error instanceof Error) || error.name !== "ProtocolError") return false;
    return "code" in error && Number.isSafeInteger(error.code);
  } catch {
    return false;
  }
}

/** The mock, where a handler failed because mock mode asks nobody. @throws any other error */
export function mockOf(mock: string, error: unknown): string {
  if (error instanceof NotImplementedError) return mock;
  throw error;
}
