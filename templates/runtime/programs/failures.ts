import { existsSync } from "node:fs";
import { ToolError } from "../engine/errors.js";
import type { Ended, Launch } from "./program-groups.js";

/** Longest part of what a program wrote to stderr that a caller gets, in characters. */
const LONGEST_MESSAGE = 500;

/** What the caller reads where a program did not start; undefined for what no caller can mend. */
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

/** @param message what the program wrote to stderr, without secrets */
export function exitFailure(
  program: string,
  { status, signal }: Ended,
  message: string,
): ToolError {
  const end = status === undefined ? `was ended by ${signal}` : `ended with status ${status}`;
  const said = message.trim();
  const cut = said.length <= LONGEST_MESSAGE ? said : `${said.slice(0, LONGEST_MESSAGE - 1)}\u2026`;
  return new ToolError(`The program ${program} ${end}${cut === "" ? "." : `: ${cut}`}`);
}

export function timeOut(program: string, timeoutMs: number): ToolError {
  return new ToolError(`The program ${program} did not end within ${timeoutMs} ms.`);
}
