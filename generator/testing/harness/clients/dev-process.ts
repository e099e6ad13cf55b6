import { spawn, type ChildProcess } from "node:child_process";
import { patience, until } from "../../../../templates/runtime/samples/until.js";
import { bin } from "../projects/project-folder.js";

/** `mcpwright dev` as a process, whose progress is read from stderr. */
export class DevProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<number | null>;
  #output = "";
  #seen = 0;

  constructor(folder: string, ...words: string[]) {
    this.#child = spawn(process.execPath, [bin, "dev", ...words], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    this.ended = new Promise((resolve) => this.#child.on("close", resolve));
  }

  /** All that it has printed. */
  get output(): string {
    return this.#output;
  }

  get #new(): string {
    return this.#output.slice(this.#seen);
  }

  /** Waits until it prints something that it had not printed when it was last waited for; returns the match. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const started = performance.now();
    for (;;) {
      const match = pattern.exec(this.#new);
      if (match !== null) {
        this.#seen += match.index + match[0].length;
        return match;
      }
      if (performance.now() - started > patience) {
        this.#child.kill("SIGKILL");
        throw new Error(
          `${pattern} was not printed after:\n${this.#new}\nin all:\n${this.#output}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The process id and the URL of the next server that it starts. */
  async starts(): Promise<{ processId: number; url: string }> {
    const [, processId] = await this.says(/started the server \(process (\d+)\)/);
    const [, url = ""] = await this.says(/"url":"([^"]+)"/);
    return { processId: Number(processId), url };
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** Whether a process runs. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process has gone. */
export async function gone(processId: number): Promise<void> {
  await until(() => !isRunning(processId));
}
