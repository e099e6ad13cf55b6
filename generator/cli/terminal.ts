import { parse } from "node:path";
import { inspect } from "node:util";
import { exitStatus } from "./exit-status.js";
import { openQuestions, type Questions } from "./questions.js";

/** What a command may touch of the process; tests give their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Asks the person at the terminal; absent where stdin or stdout is none. */
  readonly openQuestions?: (() => Questions) | undefined;
  /** Whether colours may be used on stdout and on stderr, before options are looked at. */
  readonly color: { readonly out: boolean; readonly err: boolean };
  /** Columns of the terminal that stderr goes to; absent where it goes elsewhere. */
  readonly columns?: number;
}

/** The columns of a terminal that does not say. */
const usualColumns = 80;

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  stdout.on("error", endOnRefusal);
  stderr.on("error", endOnRefusal);
  const mayColor = !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    env,
    cwd: workingFolder(env),
    // Only who asks pays for making the stream of stdin.
    get openQuestions() {
      const { stdin } = process;
      return stdin.isTTY && stdout.isTTY ? () => openQuestions(stdin, stdout) : undefined;
    },
    color: { out: mayColor && stdout.isTTY, err: mayColor && stderr.isTTY },
    ...(stderr.isTTY && { columns: stderr.columns || usualColumns }),
  };
}

/** Where the shell is; the folder may have been deleted since, and then relative paths find nothing. */
function workingFolder(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd();
  } catch {
    return env["PWD"] ?? parse(process.execPath).root;
  }
}

/** A reader that went away (`mcpwright plan | head`) is no failure of ours; a full disk is. */
function endOnRefusal(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") process.exit(exitStatus.failed);
}

export type Style = "red" | "yellow" | "green" | "cyan" | "dim" | "bold";
export type Paint = (style: Style, text: string) => string;

/** Colours text, or leaves it as it is where colours are off. */
export function painter(color: boolean): Paint {
  if (!color) return (_style, text) => text;
  return (style, text) => {
    const [open, close] = inspect.colors[style] ?? [0, 0];
    return `\u001b[${open}m${text}\u001b[${close}m`;
  };
}
