import { fileURLToPath } from "node:url";
import { runProgram } from "./programs.js";

/** A command line of a bundled command. */
export interface CommandRun {
  /** The path of the command's JavaScript file, with no symbolic link in it. */
  readonly program: string;
  readonly folder: string;
  readonly words: readonly string[];
}

export interface CommandEnd {
  readonly status: number;
  /** What it wrote to both outputs. */
  readonly output: string;
}

const runner = fileURLToPath(new URL("./run-commands.js", import.meta.url));

/**
 * Runs command lines of bundled commands one after the other in one process, each from modules that are loaded anew. Most
 * of the time of a short command is that of a process that starts, and of packages that are loaded.
 *
 * @returns how each ended, whatever its status
 * @throws Error with all that was printed if the process ends before all of them
 */
export async function runCommands(runs: readonly CommandRun[]): Promise<readonly CommandEnd[]> {
  const folder = runs[0]?.folder ?? ".";
  const printed = await runProgram(folder, process.execPath, [runner, JSON.stringify(runs)]);
  return JSON.parse(printed) as readonly CommandEnd[];
}

/**
 * As {@link runCommands}, of command lines that must succeed.
 *
 * @returns what each wrote
 * @throws Error with what it wrote if one ends with a status other than 0
 */
export async function runAll(runs: readonly CommandRun[]): Promise<readonly string[]> {
  const ends = await runCommands(runs);
  return ends.map(({ status, output }, index) => {
    if (status === 0) return output;
    throw new Error(`${runs[index]?.words.join(" ")} ended with ${status}\n${output}`);
  });
}
