import type { Masking } from "../backends/masking.js";
import { CallTimeout, ToolError } from "../engine/errors.js";
import type { Logger } from "../observe/log.js";
import type { Statement } from "./definition.js";

/**
 * A statement failed, and was not refused. If the connection broke during a commit, it may have been carried out. The
 * message and the cause have no value of the statement, so that they can be logged.
 */
export class DatabaseFailure extends ToolError {}

/** The maximum length of a database's message in an error, in characters. */
const MAX_MESSAGE_LENGTH = 500;

/** The error for a statement that the database refused. @param message its first line becomes part of the error */
export function refusal(name: string, message: string): ToolError {
  const [line = ""] = message.split("\n", 1);
  const isShort = line.length <= MAX_MESSAGE_LENGTH;
  const reason = isShort ? line : `${line.slice(0, MAX_MESSAGE_LENGTH - 1)}\u2026`;
  return new ToolError(`The database ${name} refused the statement: ${reason}`);
}

/** Messages of SQLite that end with a word of a value, without quotes around it. */
const UNQUOTED_VALUE =
  /^(no such column|malformed MATCH expression|unknown special query|bad JSON path): ([^]*)$/;

/**
 * A database's message in which the values of the statement, such as search words, are masked. Words that occur in
 * the text of the statement are kept.
 */
export function withoutValues(message: string, { text, values }: Statement): string {
  const isInText = (word: string): boolean => word !== "" && text.includes(word);
  return textsIn(values)
    .reduce((masked, value) => masked.replaceAll(`"${value}"`, MASK), message)
    .replace(/"([^"]*)"/g, (quoted, word: string) => (isInText(word) ? quoted : MASK))
    .replace(UNQUOTED_VALUE, (match, problem: string, word: string) =>
      isInText(word) ? match : `${problem}: ${MASK}`,
    );
}

const MASK = '"\u2026"';

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

export function timeOut(name: string, timeoutMs: number): DatabaseFailure {
  return new DatabaseFailure(`The database ${name} did not answer within ${timeoutMs} ms.`);
}

/** The error for an answer of more bytes than a statement may have. The statement has been rolled back. */
export function tooLong(name: string, { maxBytes, write }: Statement): ToolError {
  const undone = write ? " The statement was rolled back." : "";
  return new ToolError(
    `The answer of the database ${name} is longer than ${maxBytes} bytes.${undone}`,
  );
}

/** @param cause for the server's operators alone */
export function unreachable(name: string, cause?: unknown): DatabaseFailure {
  return new DatabaseFailure(`The database ${name} cannot be reached.`, { cause });
}

/** @param cause for the server's operators alone */
export function notLetIn(name: string, cause: unknown): DatabaseFailure {
  return new DatabaseFailure(`The database ${name} does not let this server in.`, { cause });
}

/** Warns the server's operators of a statement that failed, and was not refused. */
export function logFailure(
  log: Pick<Logger, "warning"> | undefined,
  { name, masking }: { readonly name: string; readonly masking: Masking },
  error: unknown,
): void {
  if (!(error instanceof DatabaseFailure || error instanceof CallTimeout)) return;
  const { code, message } = (error.cause ?? {}) as { code?: unknown; message?: unknown };
  log?.warning("a statement failed", {
    ...{ database: name, problem: error.message },
    ...(typeof code === "string" && { code }),
    // Several addresses that were tried in vain have a code, and no message.
    ...(typeof message === "string" && message !== "" && { cause: masking.text(message) }),
  });
}

/** A setting with which the server cannot start. The message names the setting and does not have its value. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
