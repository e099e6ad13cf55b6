import type { Masking } from "../backends/masking.js";
import { sdkProblem, ToolError } from "../engine/errors.js";
import { printable } from "../engine/printable.js";
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
  const isMalformed = malformation(error) !== undefined && !REASONS.has(code);
  const reason =
    (isMalformed ? "sends what is no message of the protocol" : explain(error)) ??
    (typeof status === "number" ? `answered with status ${status}` : REASONS.get(code));
  return new ToolError(
    `The upstream ${name} ${masking.text(reason ?? `failed: ${printable(safeMessage, MAX_MESSAGE_LENGTH)}`)}.`,
  );
}

/** The maximum length of what the log says about a malformed message, in characters. */
const MAX_PROBLEM_LENGTH = 200;

/**
 * What is wrong with a message of another server, for the log; undefined if an error has another reason. It never has
 * the values of the message.
 */
export function malformation(error: unknown): string | undefined {
  const { code, cause } = failureOf(error) as SdkFailure & { readonly cause?: unknown };
  if (error instanceof SyntaxError) return "it is no JSON";
  if (error instanceof RangeError) return "it is nested too deeply";
  const { issues } = failureOf(error) as { readonly issues?: unknown };
  if (Array.isArray(issues)) return printable(placeOf(issues), MAX_PROBLEM_LENGTH);
  const ofCause = cause === undefined || cause === error ? undefined : malformation(cause);
  if (ofCause !== undefined || code !== "INVALID_RESULT") return ofCause;
  return error instanceof Error ? sdkProblem(error) : "";
}

/** Where a message breaks its schema. */
function placeOf(issues: readonly unknown[]): string {
  const [{ path = [] } = {}] = issues as readonly { readonly path?: readonly unknown[] }[];
  return path.length === 0 ? "it has the wrong members" : `it is wrong at ${path.join(".")}`;
}

/** Whether an error is another server's own response. */
export function isErrorResponse(error: unknown): boolean {
  return error instanceof RemoteError;
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
