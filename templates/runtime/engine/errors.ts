import { inspect } from "node:util";
import type { Logger } from "../context/context.js";
import { printable } from "./printable.js";

/**
 * An error of the protocol, which goes to the client as it is. It stands for the SDK's class of this
 * name, which would have to be loaded before anything can be refused.
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

/** The codes of JSON-RPC that the protocol gives a meaning of its own. */
const errorCode = { invalidParams: -32602, internalError: -32603 } as const;

/**
 * A failure that the caller is meant to read: a tool answers `isError: true` with this text, a
 * prompt or resource an error with it. The text of any other error stays in the log.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/** Thrown by a question that the user declined or closed; a call that it ends answers with its text. */
export class InputRefused extends Error {
  override readonly name = "InputRefused";

  readonly action: "decline" | "cancel";

  /** @param question What the user was asked. */
  constructor(question: string, action: "decline" | "cancel") {
    super(`The user declined: ${question}`);
    this.action = action;
  }
}

/** A request that is refused as such, whatever its handler says: the protocol's error goes out as it is. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";

  readonly error: ProtocolError;

  constructor(error: ProtocolError) {
    super(error.message);
    this.error = error;
  }
}

/** Thrown by the handler of a resource or template to say that there is no resource at this URI. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** A setting that the server cannot start with; the message tells whoever starts it what to do. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Thrown by a handler that nobody has written yet. */
export class NotImplementedError extends Error {
  override readonly name = "NotImplementedError";

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
  return new ProtocolError(errorCode.invalidParams, message, data);
}

/** The protocol's error for a request that the server fails to answer, -32603. */
export function internalError(message: string): ProtocolError {
  return new ProtocolError(errorCode.internalError, message);
}

/** The protocol's error for a resource that is not there, -32602 with its URI. */
export function resourceNotFound(uri: string, message: string): ProtocolError {
  return invalidParams(message, { uri });
}

/** Codes of an application's own, as the protocol wants them: HTTP's words where there is no HTTP. */
const insufficientScopeCode = 403;
const tooManyRequestsCode = 429;

/** The error for a caller without the scopes that a request needs, where HTTP has no status for it. */
export function insufficientScope(scopes: readonly string[]): ProtocolError {
  const message = `Insufficient scope: ${scopes.join(" ")}`;
  return new ProtocolError(insufficientScopeCode, message, { requiredScopes: scopes });
}

/** The error for a caller who sends too much, where HTTP has no status for it. */
export function tooManyRequests(retryAfterSeconds: number): ProtocolError {
  return new ProtocolError(tooManyRequestsCode, "Too many requests", {
    retryAfter: retryAfterSeconds,
  });
}

/**
 * What the caller may read about a failed handler. An error that was not written for the caller is
 * logged whole, and answered with a reference by which the log entry is found.
 */
export function publicMessage(error: unknown, log: Logger): string {
  if (isForCaller(error)) return error.message;
  if (error instanceof InvalidResultError) {
    log.error(error.message, { problems: error.problems });
    return error.message;
  }
  const reference = crypto.randomUUID().slice(0, 8);
  log.error("handler failed", { reference, error: describeError(error) });
  return `Internal error (reference ${reference})`;
}

function isForCaller(error: unknown): error is Error {
  return (
    error instanceof ToolError ||
    error instanceof InputRefused ||
    error instanceof NotImplementedError
  );
}

/**
 * What an error of the SDK's says in words of its own. Further on it may repeat what a client has
 * sent, which is not for the log.
 */
export function sdkProblem({ name, message }: Error): string {
  const words = /^[^:'"`{[]*/.exec(message)?.[0].trim() ?? "";
  return words === "" ? name : printable(words, 200);
}

/** The same as a JSON-RPC error, for the methods that have no `isError`: -32603. */
export function publicError(error: unknown, log: Logger): ProtocolError {
  if (error instanceof RequestRefused) return error.error;
  if (isProtocolError(error)) return error;
  return internalError(publicMessage(error, log));
}

/** Whether a handler has thrown an error of the protocol: this module's, or the SDK's own. */
function isProtocolError(error: unknown): error is ProtocolError {
  if (!(error instanceof Error) || error.name !== "ProtocolError") return false;
  return "code" in error && Number.isSafeInteger(error.code);
}

/** Everything about a thrown value, as text. Anything can be thrown, so nothing about it is trusted. */
export function describeError(error: unknown): string {
  try {
    return inspect(error, { depth: 4, maxStringLength: 10_000 });
  } catch {
    return "a value that cannot be inspected";
  }
}
