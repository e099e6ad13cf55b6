import { ToolError } from "../engine/errors.js";
import type { Statement } from "./definition.js";

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

export function timeOut(name: string, timeoutMs: number): ToolError {
  return new ToolError(`The database ${name} did not answer within ${timeoutMs} ms.`);
}

/** The error for an answer of more bytes than a statement may have. The statement has been rolled back. */
export function tooLong(name: string, { maxBytes, write }: Statement): ToolError {
  const undone = write ? " The statement was rolled back." : "";
  return new ToolError(
    `The answer of the database ${name} is longer than ${maxBytes} bytes.${undone}`,
  );
}

export function unreachable(name: string): ToolError {
  return new ToolError(`The database ${name} cannot be reached.`);
}

export function notLetIn(name: string): ToolError {
  return new ToolError(`The database ${name} does not let this server in.`);
}

/** A setting with which the server cannot start. The message names the setting and does not have its value. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
