import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

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
  /** The packages that it asked for. */
  readonly packages: readonly string[];
}

/** Whom a process belongs to, where it is not this one's account. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const runner = fileURLToPath(new URL("./run-commands.js", import.meta.url));

/**
 * A process in which command lines of bundled commands run one after the other. The modules of a command are loaded anew
 * for each line, the packages that it uses once: most of the time of a short command is that of a process that starts,
 * and of packages that are loaded and compiled.
 */
export class CommandProcess {
  readonly #account: Account;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  /** What the process has printed beside what commands wrote. */
  #printed = "";

  constructor(account: Account = {}, env: NodeJS.ProcessEnv = process.env) {
    this.#account = account;
    this.#env = env;
  }

  /**
   * Runs one command line. @returns how it ended, whatever its status
   * @throws Error with all that was printed if the process ends before it
   */
  async run(line: CommandRun): Promise<CommandEnd> {
    const child = (this.#child ??= this.#start());
    const heard = new AbortController();
    const events = ["message", "close"].map((name) => once(child, name, { signal: heard.signal }));
    child.send(line);
    const [end] = (await Promise.race(events)) as [unknown];
    heard.abort();
    if (typeof end === "object" && end !== null) return end as CommandEnd;
    const words = line.words.join(" ");
    throw new Error(`the process of ${words} ended with ${String(end)}\n${this.#printed}`);
  }

  #start(): ChildProcess {
    const child = fork(runner, {
      silent: true,
      execArgv: [],
      env: this.#env,
      ...this.#account,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => (this.#printed += chunk.toString()));
    }
    return child;
  }

  /** As {@link run}, of command lines that must succeed. @returns what each wrote */
  async runAll(lines: readonly CommandRun[]): Promise<readonly string[]> {
    const outputs: string[] = [];
    for (const line of lines) {
      const { status, output } = await this.run(line);
      if (status !== 0) throw new Error(`${line.words.join(" ")} ended with ${status}\n${output}`);
      outputs.push(output);
    }
    return outputs;
  }

  /** Ends the process. To be called after all tests. */
  end = async (): Promise<void> => {
    if (this.#child?.connected !== true) return;
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  };
}
