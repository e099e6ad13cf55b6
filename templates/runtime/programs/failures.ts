import { existsSync } from "node:fs";
import { ToolError } from "../engine/errors.js";
import type { ProgramOutcome, Launch } from "./program-groups.js";

/** The maximum length of a program's output to stderr in an error, in characters. */
const MAX_MESSAGE_LENGTH = 500;

/** The error for a program that did not start; undefined if the cause is unknown. */
export function launchFailure({ program, cwd }: Launch, error: unknown): ToolError | undefined {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return existsSync(cwd)
        ? new ToolError(`The program ${program} is not there.`)
        : new ToolError(`The folder that the program ${program} runs in is not there.`);
    case "EACCES":
    case "EPERM":
      return new ToolError(`The program ${program} must not be run.`);
    case "E2BIG":
      return new ToolError(`The arguments of the program ${program} are too long.`);
    default:
      return undefined;
  }
}

/** The error for a program that failed. @param message its output to stderr, without secrets */
export function exitFailure(
  program: string,
  { status, signal }: ProgramOutcome,
  message: string,
): ToolError {
  const end = status === undefined ? `was ended by ${signal}` : `ended with status ${status}`;
  const text = message.trim();
  const isShort = text.length <= MAX_MESSAGE_LENGTH;
  const reason = isShort ? text : `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}\u2026`;
  return new ToolError(`The program ${program} ${end}${reason === "" ? "." : `: ${reason}`}`);
}

export function timeOut(program: string, timeoutMs: number): ToolError {
  return new ToolError(`The program ${program} did not end within ${timeoutMs} ms.`);
}
