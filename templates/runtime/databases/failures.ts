import { ToolError } from "../engine/errors.js";
import type { Statement } from "./definition.js";

/** Longest part of a database's message that a caller gets, in characters. */
const LONGEST_MESSAGE = 500;

/** A statement that a database refused: what it said, without the statement and its values. */
export function refusal(name: string, message: string): ToolError {
  const [line = ""] = message.split("\n", 1);
  const cut = line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE - 1)}\u2026`;
  return new ToolError(`The database ${name} refused the statement: ${cut}`);
}

/** What SQLite says before a word of a value, without quotes. */
const BEFORE_A_WORD =
  /^(no such column|malformed MATCH expression|unknown special query|bad JSON path): ([^]*)$/;

/**
 * A message without what it repeats of the values of its statement, such as the words that somebody searches for.
 * What the statement itself says, stays.
 */
export function withoutValues(message: string, { text, values }: Statement): string {
  const isOwn = (word: string): boolean => word !== "" && text.includes(word);
  return textsIn(values)
    .reduce((words, value) => words.replaceAll(`"${value}"`, MASKED), message)
    .replace(/"([^"]*)"/g, (quoted, word: string) => (isOwn(word) ? quoted : MASKED))
    .replace(BEFORE_A_WORD, (whole, problem: string, word: string) =>
      isOwn(word) ? whole : `${problem}: ${MASKED}`,
    );
}

const MASKED = '"\u2026"';

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

export function timeOut(name: string, timeoutMs: number): ToolError {
  return new ToolError(`The database ${name} did not answer within ${timeoutMs} ms.`);
}

export function unreachable(name: string): ToolError {
  return new ToolError(`The database ${name} cannot be reached.`);
}

export function notLetIn(name: string): ToolError {
  return new ToolError(`The database ${name} does not let this server in.`);
}

/** A setting with which the server cannot start. The message names it, and never has its value. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
