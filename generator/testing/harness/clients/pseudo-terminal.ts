import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { patience } from "../../../../templates/runtime/samples/until.js";

/** Why no pseudo-terminal can be had; `undefined` where one can. `script` is in every Debian (bsdutils). */
export function missingPseudoTerminal(): string | undefined {
  const { stdout } = spawnSync("script", ["--version"], { encoding: "utf8" });
  return /util-linux/.test(stdout ?? "") ? undefined : "the util-linux `script` is not here";
}

/** A command whose stdin, stdout and stderr are one terminal. */
export class PseudoTerminal {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<number | null>;
  #output = "";
  #seen = 0;

  /** @param command words without white space or quotes in them */
  constructor(folder: string, command: readonly string[], env: Record<string, string> = {}) {
    const { NO_COLOR: _none, ...inherited } = process.env;
    this.#process = spawn("script", ["-qefc", command.join(" "), "/dev/null"], {
      cwd: folder,
      env: { ...inherited, TERM: "xterm", ...env },
    });
    this.#process.stdout.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#ended = new Promise((resolve) => this.#process.on("close", resolve));
  }

  /** All that was printed so far. */
  get output(): string {
    return this.#output;
  }

  /** Waits until a text is printed after the last one that was waited for. */
  async expect(text: string): Promise<void> {
    const started = performance.now();
    for (;;) {
      const at = this.#output.indexOf(text, this.#seen);
      if (at >= 0) {
        this.#seen = at + text.length;
        return;
      }
      if (performance.now() - started > patience) {
        this.#process.kill();
        throw new Error(`${JSON.stringify(text)} did not come after:\n${this.#output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** What keys send: text, `\r` for Enter, `\u0003` for Ctrl-C. */
  type(keys: string): void {
    this.#process.stdin.write(keys);
  }

  /** The exit status of the command. */
  ended(): Promise<number | null> {
    return this.#ended;
  }
}
