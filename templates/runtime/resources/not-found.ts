import { invalidParams, type ProtocolError } from "../engine/errors.js";

/** Thrown by the handler of a resource or template to say that there is no resource at this URI. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** The protocol's error for a resource that is not there, -32602 with its URI. */
export function resourceNotFound(uri: string, message: string): ProtocolError {
  return invalidParams(message, { uri });
}
