import { ForbiddenAddressError } from "../egress/reach.js";
import { ToolError } from "../engine/errors.js";

/** An attempt exceeded the time limit. */
export class AttemptTimeout extends Error {
  override readonly name = "AttemptTimeout";
}

/**
 * A request got no answer that can be used. Its message has nothing of the request, of its credentials and of the caller,
 * so that it can be logged.
 */
export class RequestFailure extends ToolError {}

/** Matches the error codes of connections that could not be opened. */
const UNREACHABLE_CODE =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/;

const TLS_CODE =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;

/** Why a request got no answer. */
export interface Failure {
  /** The error for the caller; its message has nothing of the request. */
  readonly error: ToolError;
  /** Whether another attempt may succeed. */
  readonly isTemporary: boolean;
  /** The code of the connection's error, such as `ECONNREFUSED`; absent if it has none. */
  readonly code?: string;
  /** Whether the upstream may have got the request, and have carried it out. */
  readonly isUncertain?: true;
}

/**
 * Why a request failed.
 *
 * @param timeoutMs the time limit of an attempt, in milliseconds
 * @param part the part of the upstream that was asked, such as `token endpoint`, if it was not the upstream itself
 */
export function failureOf(name: string, error: unknown, timeoutMs: number, part?: string): Failure {
  const asked = part === undefined ? `The upstream ${name}` : `The ${part} of the upstream ${name}`;
  const errors = [error, ...causesOf(error)];
  const codes = errors.map((cause) => String((cause as { code?: unknown } | null)?.code ?? ""));
  const code = codes.find((each) => each !== "");
  const failure = (text: string, isTemporary: boolean): Failure => ({
    error: new RequestFailure(`${asked} ${text}.`),
    isTemporary,
    ...(code !== undefined && { code }),
  });
  const toolError = errors.find((cause) => cause instanceof ToolError);
  if (toolError !== undefined) return { error: toolError, isTemporary: false };
  const forbidden = errors.find((cause) => cause instanceof ForbiddenAddressError);
  if (forbidden !== undefined) return failure(forbidden.message, false);
  if (errors.some((cause) => cause instanceof AttemptTimeout)) {
    return { ...failure(`did not answer within ${timeoutMs} ms`, true), isUncertain: true };
  }
  const tlsCode = codes.find((code) => TLS_CODE.test(code));
  if (tlsCode !== undefined) {
    return failure(`could not be trusted: TLS failed with ${tlsCode}`, false);
  }
  if (codes.some((code) => UNREACHABLE_CODE.test(code))) return failure("cannot be reached", true);
  return { ...failure("broke off the connection", true), isUncertain: true };
}

/** The causes of an error and their causes. */
function causesOf(error: unknown): unknown[] {
  if (typeof error !== "object" || error === null) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const direct = [
    ...(cause === undefined ? [] : [cause]),
    ...(Array.isArray(errors) ? errors : []),
  ];
  return direct.flatMap((each) => [each, ...(each === error ? [] : causesOf(each))]);
}

/**
 * The error for the caller about a request that must not be sent twice, if the upstream may have carried it out.
 *
 * @param wasUncertain whether it may have carried out an earlier attempt
 */
export function uncertainFailure(
  { error, isUncertain }: Failure,
  wasUncertain: boolean,
): ToolError {
  const hint = isUncertain
    ? "It may have carried out the request: find out before you repeat it."
    : "It may have carried out an earlier attempt: find out before you repeat the request.";
  const isHinted = error instanceof RequestFailure && (isUncertain === true || wasUncertain);
  return isHinted ? new RequestFailure(`${error.message} ${hint}`) : error;
}
