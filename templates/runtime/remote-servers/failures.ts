import type { Masking } from "../backends/masking.js";
import { ToolError } from "../engine/errors.js";
import type { ServerConnector } from "./definition.js";

/** The maximum length of a server's message in an error, in characters. */
const MAX_MESSAGE_LENGTH = 500;

/** The protocol's error codes for an absent resource: in the older eras, and in 2026-07-28. */
const NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;

/** An error response of another server. */
class RemoteError extends ToolError {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The members of the SDK's errors. */
interface SdkFailure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/**
 * The error for the caller when a request to another server fails.
 *
 * @param name the name of the server in the manifest
 * @param explain finds the cause of a failed connection
 */
export function remoteFailure(
  name: string,
  error: unknown,
  explain: ServerConnector["explain"],
  masking: Masking,
): unknown {
  if (error instanceof ToolError) return error;
  const { code, status, data, message = "" } = failureOf(error);
  const safeMessage = shortened(masking.text(String(message)));
  // A number is an error code of JSON-RPC in the server's response; a text is a code of the client itself.
  if (typeof code === "number") {
    const text = `The upstream ${name} answered with an error: ${safeMessage}`;
    return new RemoteError(code, text, data);
  }
  const reason =
    explain(error) ??
    (typeof status === "number" ? `answered with status ${status}` : REASONS.get(code));
  return new ToolError(`The upstream ${name} ${masking.text(reason ?? `failed: ${safeMessage}`)}.`);
}

/** Whether a server has answered that the resource does not exist. */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof RemoteError)) return false;
  const { code, data } = error;
  const namesUri = typeof data === "object" && data !== null && "uri" in data;
  return code === NOT_FOUND || (code === INVALID_PARAMS && namesUri);
}

/** The causes of the client's own errors, as the end of a sentence that begins with "The upstream …". */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["CONNECTION_CLOSED", "ended before it answered"],
  ["NOT_CONNECTED", "ended before it was asked"],
  ["SEND_FAILED", "ended before it was asked"],
  ["REQUEST_TIMEOUT", "did not answer in time"],
  ["INVALID_RESULT", "answered with what is no result of that request"],
  ["UNSUPPORTED_RESULT_TYPE", "asks its client for more, which is not passed on"],
]);

function failureOf(error: unknown): SdkFailure {
  return typeof error === "object" && error !== null ? error : { message: String(error) };
}

function shortened(text: string): string {
  const isShort = text.length <= MAX_MESSAGE_LENGTH;
  return isShort ? text : `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}\u2026`;
}
