import type { Logger } from "../observe/log.js";
import { describeError } from "./describe-error.js";
import { printable } from "./printable.js";

/**
 * An error of the protocol, which is sent to the client unchanged: by handlers of prompts and resources, and by code that
 * completes, such as `new ProtocolError(-32602, "There is no team x")` for an argument that a prompt does not take. Tools
 * throw a {@link ToolError}, which models read. It replaces the SDK's class of this name, so that requests can be refused
 * without loading the SDK.
 */
export class ProtocolError extends Error {
  override readonly name: string = "ProtocolError";

  /** The JSON-RPC error code, such as -32602 for invalid parameters. */
  readonly code: number;
  /** What the error's `data` has for the caller. */
  readonly data?: unknown;

  /** @param code The JSON-RPC error code. */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** An error whose text is meant for the caller. The text of any other error is only logged. */
export abstract class PublicError extends Error {}

/**
 * A failure with a text for the caller. A tool answers with `isError: true` and this text, a prompt or
 * resource with an error that has it. Of all other errors of handlers, callers get only a reference to the log.
 */
export class ToolError extends PublicError {
  override readonly name = "ToolError";
}

/** A call has reached its time limit. */
export class CallTimeout extends ToolError {
  constructor(timeoutMs: number) {
    super(`The call took longer than ${timeoutMs / 1000} s`);
  }
}

/** Refuses a request with an error of the protocol, also for tools, whose other failures are results. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";

  readonly error: ProtocolError;

  constructor(error: ProtocolError) {
    super(error.message);
    this.error = error;
  }
}

/** Thrown by a handler that is not written yet: its text is for the caller. In mock mode, an example is the answer instead. */
export class NotImplementedError extends PublicError {
  override readonly name: string = "NotImplementedError";

  /** @param file The handler's file, relative to the project: `src/tools/get-forecast.ts`. */
  constructor(file: string) {
    super(`Not implemented yet: write it in ${file}`);
  }
}

/**
 * A handler returned something that cannot be sent. The message names the item and never contains a
 * value. `problems` is logged.
 */
export class InvalidResultError extends Error {
  override readonly name = "InvalidResultError";

  readonly problems: readonly string[];

  constructor(message: string, problems: readonly string[] = []) {
    super(message);
    this.problems = problems;
  }
}

/** A setting with which the server cannot start. The message says what to do. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Thrown by the handler of a resource or template if there is no resource at the URI: the client gets the error -32602. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";

  /** @param message for tests, which show nothing else of an error; clients do not get it */
  constructor(message = "there is no resource at this URI", options?: ErrorOptions) {
    super(message, options);
  }
}

/** The protocol's error for invalid parameters, -32602. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(-32602, message, data);
}

/**
 * The text for the caller about a failed handler. An error that is not meant for the caller is logged
 * completely, and the text has a reference to the log entry.
 */
export function publicMessage(error: unknown, log: Logger): string {
  if (error instanceof PublicError) return error.message;
  if (error instanceof InvalidResultError) {
    log.error(error.message, { problems: error.problems });
    return error.message;
  }
  return unforeseenError(error, log, "handler failed").message;
}

/**
 * Logs an error that nobody foresaw, completely and in one line.
 * @returns the error for the caller, which has only a reference to that line
 */
export function unforeseenError(error: unknown, log: Logger, event: string): ProtocolError {
  const reference = crypto.randomUUID().slice(0, 8);
  log.error(event, { reference, error: describeError(error) });
  return new ProtocolError(-32603, `Internal error (reference ${reference})`);
}

/** The first words of an SDK error. The others may repeat a client's text, which must not be logged. */
export function sdkProblem({ name, message }: Error): string {
  const words = /^[^:'"`{[]*/.exec(message)?.[0].trim() ?? "";
  return words === "" ? name : printable(words, 200);
}
