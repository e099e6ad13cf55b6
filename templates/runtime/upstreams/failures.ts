import { ToolError } from "../engine/errors.js";
import { PrivateAddressError } from "./guard.js";

/** An attempt took longer than it may. */
export class AttemptTimeout extends Error {
  override readonly name = "AttemptTimeout";
}

/** Codes of connections that could not be made. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/;

const TLS =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;

/** Why a request got no answer. */
export interface Failure {
  /** The message for the caller, without anything of the request. */
  readonly error: ToolError;
  /** Whether another try may succeed. */
  readonly mayPass: boolean;
}

/** Why a request failed, in a sentence of our own. @param timeoutMs The time limit of an attempt. */
export function failureOf(name: string, error: unknown, timeoutMs: number): Failure {
  const errors = [error, ...causesOf(error)];
  const codes = errors.map((cause) => String((cause as { code?: unknown } | null)?.code ?? ""));
  const failure = (text: string, mayPass: boolean): Failure => ({
    error: new ToolError(`The upstream ${name} ${text}.`),
    mayPass,
  });
  if (errors.some((cause) => cause instanceof ToolError)) {
    return {
      error: errors.find((cause) => cause instanceof ToolError) as ToolError,
      mayPass: false,
    };
  }
  if (errors.some((cause) => cause instanceof PrivateAddressError)) {
    return failure(
      "leads to an address that is not public, which is refused without `private: true`",
      false,
    );
  }
  if (errors.some((cause) => cause instanceof AttemptTimeout)) {
    return failure(`did not answer within ${timeoutMs} ms`, true);
  }
  const tls = codes.find((code) => TLS.test(code));
  if (tls !== undefined) return failure(`could not be trusted: TLS failed with ${tls}`, false);
  if (codes.some((code) => UNREACHABLE.test(code))) return failure("cannot be reached", true);
  return failure("broke off the connection", true);
}

function causesOf(error: unknown): unknown[] {
  if (typeof error !== "object" || error === null) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const own = [...(cause === undefined ? [] : [cause]), ...(Array.isArray(errors) ? errors : [])];
  return own.flatMap((one) => [one, ...(one === error ? [] : causesOf(one))]);
}
