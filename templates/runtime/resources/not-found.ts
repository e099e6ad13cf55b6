import { invalidParams, type ProtocolError } from "../engine/errors.js";

/** Thrown by the handler of a resource or template if there is no resource at the URI. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** Makes the protocol's error for a resource that does not exist: -32602 with its URI. */
export function resourceNotFound(uri: string, message: string): ProtocolError {
  return invalidParams(message, { uri });
}
