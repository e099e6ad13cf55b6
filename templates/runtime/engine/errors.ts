import type { Logger } from "../observe/log.js";
import { describeError } from "./describe-error.js";
import { printable } from "./printable.js";

/**
 * An error of the protocol, which goes to the client as it is. It replaces the SDK's class of this name, so
 * that requests can be refused without loading the SDK.
 */
export class ProtocolError extends Error {
  override readonly name: string = "ProtocolError";

  readonly code: number;
  readonly data?: unknown;

  /** @param code The JSON-RPC error's. */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** An error whose text is meant for the caller. The text of any other error stays in the log. */
export abstract class PublicError extends Error {}

/**
 * A failure that the caller is meant to read: a tool answers `isError: true` with this text, a
 * prompt or resource an error with it.
 */
export class ToolError extends PublicError {
  override readonly name = "ToolError";
}

/** Refuses a request with an error of the protocol, even where failures are otherwise results of a tool. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";

  readonly error: ProtocolError;

  constructor(error: ProtocolError) {
    super(error.message);
    this.error = error;
  }
}

/** Thrown by a handler that nobody has written yet. */
export class NotImplementedError extends PublicError {
  override readonly name: string = "NotImplementedError";

  /** @param file The handler's file, relative to the project: `src/tools/get-forecast.ts`. */
  constructor(file: string) {
    super(`Not implemented yet: write it in ${file}`);
  }
}

/**
 * A handler returned something that cannot be sent. The message names the item and never holds a
 * value; `problems` goes to the log.
 */
export class InvalidResultError extends Error {
  override readonly name = "InvalidResultError";

  readonly problems: readonly string[];

  constructor(message: string, problems: readonly string[] = []) {
    super(message);
    this.problems = problems;
  }
}

/** The protocol's error for a request that is wrong in itself, -32602. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(-32602, message, data);
}

/**
 * What the caller may read about a failed handler. An error that was not written for the caller is
 * logged whole, and answered with a reference by which the log entry is found.
 */
export function publicMessage(error: unknown, log: Logger): string {
  if (error instanceof PublicError) return error.message;
  if (error instanceof InvalidResultError) {
    log.error(error.message, { problems: error.problems });
    return error.message;
  }
  const reference = crypto.randomUUID().slice(0, 8);
  log.error("handler failed", { reference, error: describeError(error) });
  return `Internal error (reference ${reference})`;
}

/** The first words of an SDK error. The rest may repeat what a client has sent, which does not belong in the log. */
export function sdkProblem({ name, message }: Error): string {
  const words = /^[^:'"`{[]*/.exec(message)?.[0].trim() ?? "";
  return words === "" ? name : printable(words, 200);
}
