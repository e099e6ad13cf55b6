import { styleText } from "node:util";

/** What a command may touch of the process; tests give their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether stdin and stdout are a person's terminal, so that questions may be asked. */
  readonly interactive: boolean;
  /** Whether colours may be used, before options are looked at. */
  readonly color: boolean;
}

export function processTerminal(): Terminal {
  // A reader that went away (`mcpwright plan | head`) is no failure of ours.
  process.stdout.on("error", ignoreBrokenPipe);
  process.stderr.on("error", ignoreBrokenPipe);
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    color: process.stdout.isTTY === true && !process.env["NO_COLOR"],
  };
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

export type Style = "red" | "yellow" | "green" | "cyan" | "dim" | "bold";
export type Paint = (style: Style, text: string) => string;

/** Colours text, or leaves it as it is where colours are off. */
export function painter(color: boolean): Paint {
  return color ? (style, text) => styleText(style, text) : (_style, text) => text;
}
