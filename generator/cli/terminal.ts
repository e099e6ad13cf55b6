import { parse } from "node:path";
import { inspect } from "node:util";
import { exitStatus } from "./exit-status.js";
import { openQuestions, type Questions } from "./questions.js";

/** The parts of the process that a command may use. Tests provide their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Starts to ask the person at the terminal. Absent if stdin or stdout is not a terminal. */
  readonly openQuestions?: (() => Questions) | undefined;
  /** Whether stdout and stderr show colours, if no option forbids them. */
  readonly color: { readonly out: boolean; readonly err: boolean };
  /** Columns of the terminal that shows stderr. Absent if stderr is not a terminal. */
  readonly columns?: number;
}

/** The columns of a terminal that does not report its width. */
const defaultColumns = 80;

/** The terminal of this process. Ends the process if stdout or stderr can no longer be written. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  stdout.on("error", endOnWriteError);
  stderr.on("error", endOnWriteError);
  const mayColor = !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    env,
    cwd: workingFolder(env),
    // A getter, since opening the stream of stdin takes time that most commands can save.
    get openQuestions() {
      const { stdin } = process;
      return stdin.isTTY && stdout.isTTY ? () => openQuestions(stdin, stdout) : undefined;
    },
    color: { out: mayColor && stdout.isTTY, err: mayColor && stderr.isTTY },
    ...(stderr.isTTY && { columns: stderr.columns || defaultColumns }),
  };
}

/** The working directory. If it has been deleted, the path that it had: relative paths then find nothing. */
function workingFolder(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd();
  } catch {
    return env["PWD"] ?? parse(process.execPath).root;
  }
}

/** A reader that closes the pipe, as in `mcpwright plan | head`, is not an error. A full disk is one. */
function endOnWriteError(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") process.exit(exitStatus.failed);
}

export type Style = "red" | "yellow" | "green" | "cyan" | "dim" | "bold";
export type Paint = (style: Style, text: string) => string;

/** Makes a function that colours text, or returns it unchanged if colours are off. */
export function painter(color: boolean): Paint {
  if (!color) return (_style, text) => text;
  return (style, text) => {
    const [open, close] = inspect.colors[style] ?? [0, 0];
    return `\u001b[${open}m${text}\u001b[${close}m`;
  };
}
