import { ProtocolError } from "../engine/errors.js";
import { isObject, memberOf } from "../engine/request-parameters.js";
import { TASKS_EXTENSION } from "./definition.js";

/** Whether the capabilities of a client say that it can follow tasks. */
export function declaresTasks(clientCapabilities: unknown): boolean {
  return isObject(memberOf(memberOf(clientCapabilities, "extensions"), TASKS_EXTENSION));
}

/** The error for clients that do not know tasks. */
export function missingExtension(message: string): ProtocolError {
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  return new ProtocolError(-32021, message, { requiredCapabilities });
}

/** The error for a request about tasks of a client that does not know them. */
export function undeclaredExtension(): ProtocolError {
  return missingExtension(`The client does not declare the extension ${TASKS_EXTENSION}`);
}
