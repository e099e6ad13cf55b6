import { ToolError } from "../engine/errors.js";

/** Longest part of a database's message that a caller gets, in characters. */
const LONGEST_MESSAGE = 500;

/** A statement that a database refused: what it said, without the statement and its values. */
export function refusal(name: string, message: string): ToolError {
  const [line = ""] = message.split("\n", 1);
  const cut = line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE - 1)}\u2026`;
  return new ToolError(`The database ${name} refused the statement: ${cut}`);
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

/** A setting that the server cannot start with; the message says which, and never what it is. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
