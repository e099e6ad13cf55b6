import type { Masking } from "../backends/masking.js";
import { ToolError } from "../engine/errors.js";
import type { ServerReach } from "./definition.js";

/** Longest part of what a server says of an error, in characters. */
const LONGEST_MESSAGE = 500;

/** The protocol's errors for a resource that is not there: of the older eras, and of 2026-07-28. */
const NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;

/** An error that another server answered with. */
class RemoteError extends ToolError {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** What the SDK's errors have in common. */
interface SdkFailure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/** What a caller may read of a request that another server did not answer. */
export function remoteFailure(
  name: string,
  error: unknown,
  explain: ServerReach["explain"],
  masking: Masking,
): unknown {
  if (error instanceof ToolError) return error;
  const { code, status, data, message = "" } = failureOf(error);
  const said = shortened(masking.text(String(message)));
  // A number is a code of JSON-RPC, which the server has answered with; words are those of the client.
  if (typeof code === "number") {
    return new RemoteError(code, `The upstream ${name} answered with an error: ${said}`, data);
  }
  const known = explain(error);
  const reason =
    known ?? (typeof status === "number" ? `answered with status ${status}` : REASONS.get(code));
  return new ToolError(`The upstream ${name} ${masking.text(reason ?? `failed: ${said}`)}.`);
}

/** Whether a server has answered that there is nothing at a URI. */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof RemoteError)) return false;
  const { code, data } = error;
  const namesUri = typeof data === "object" && data !== null && "uri" in data;
  return code === NOT_FOUND || (code === INVALID_PARAMS && namesUri);
}

/** What the client's own errors mean, as the end of "The upstream …". */
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
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}\u2026`;
}
