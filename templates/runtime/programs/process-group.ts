import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { forgetGroup, watchGroup } from "./group-watch.js";

/** A program that is to run. */
export interface Launch {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it reads; nothing where it is undefined. */
  readonly stdin: string | undefined;
  /** Most bytes that are kept of what it prints. */
  readonly maxBytes: number;
}

/** What came of a program. */
export interface Ended {
  /** Undefined where a signal ended it. */
  readonly status: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: KeptBytes;
  readonly stderr: KeptBytes;
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** Most bytes that are kept of what a program writes to stderr. */
const MOST_STDERR_BYTES = 65_536;

/** How long a group has between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 200;

/** How long output is waited for that a process outside the group holds open, in milliseconds. */
const CLOSING_MS = 500;

/** Process groups end with signals to the negative id of their leader; Windows has none. */
const HAS_GROUPS = process.platform !== "win32";

/** Groups that run, which end with this process, however it ends by itself. */
const running = new Set<ProcessGroup>();
process.on("exit", () => {
  for (const group of running) group.kill("SIGKILL");
});

/** The programs that a server runs. */
export class ProgramGroups {
  readonly #own = new Set<ProcessGroup>();

  /**
   * Runs a program as the leader of a process group, all of which ends with it, and when the signal is aborted.
   *
   * @throws the error of the system where it cannot be started
   * @throws the reason of the signal, once the group has ended
   */
  async run(launch: Launch, signal: AbortSignal): Promise<Ended> {
    signal.throwIfAborted();
    const group = new ProcessGroup(launch);
    const stop = (): void => void group.end();
    for (const set of [running, this.#own]) set.add(group);
    group.watch();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const ended = await group.ended;
      signal.throwIfAborted();
      return ended;
    } finally {
      signal.removeEventListener("abort", stop);
      await group.end();
      group.forget();
      for (const set of [running, this.#own]) set.delete(group);
    }
  }

  /** Ends all that run. */
  async close(): Promise<void> {
    await Promise.all([...this.#own].map((group) => group.end()));
  }
}

/** The first bytes of a stream; the rest is read and thrown away, so that its writer goes on. */
class KeptBytes {
  readonly #chunks: Buffer[] = [];
  readonly #most: number;
  #length = 0;

  constructor(stream: Readable, most: number) {
    this.#most = most;
    stream.on("data", (chunk: Buffer) => this.#keep(chunk));
    stream.on("error", () => undefined);
  }

  get isCut(): boolean {
    return this.#length > this.#most;
  }

  /** As UTF-8, without the half of a character that was cut. */
  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: this.isCut });
  }

  #keep(chunk: Buffer): void {
    const room = this.#most - this.#length;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#length += chunk.length;
  }
}

class ProcessGroup {
  readonly ended: Promise<Ended>;
  readonly #child: Child;
  #ending: Promise<void> | undefined;

  constructor({ program, arguments: values, cwd, env, stdin, maxBytes }: Launch) {
    this.#child = spawn(program, values, {
      ...{ cwd, env, shell: false, windowsHide: true },
      detached: HAS_GROUPS,
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    }) as Child;
    const stdout = new KeptBytes(this.#child.stdout, maxBytes);
    const stderr = new KeptBytes(this.#child.stderr, MOST_STDERR_BYTES);
    // A program need not read all that it is given.
    this.#child.stdin?.on("error", () => undefined).end(stdin);
    this.ended = this.#wholeOutput().then(([status, signal]) => ({
      ...{ status: status ?? undefined, signal: signal ?? undefined, stdout, stderr },
    }));
  }

  /** Has the group end when this process is killed. */
  watch(): void {
    if (HAS_GROUPS && this.#child.pid !== undefined) watchGroup(this.#child.pid);
  }

  forget(): void {
    if (HAS_GROUPS && this.#child.pid !== undefined) forgetGroup(this.#child.pid);
  }

  /** Asks the group to end, and ends what is left of it soon after. */
  end(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  /** @returns whether there was anything to send the signal to */
  kill(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    if (pid === undefined) return false;
    try {
      return HAS_GROUPS ? process.kill(-pid, signal) : this.#child.kill(signal);
    } catch {
      return false;
    }
  }

  async #end(): Promise<void> {
    if (!this.kill("SIGTERM")) return;
    const deadline = Date.now() + GRACE_MS;
    while (this.kill(0) && Date.now() < deadline) await pause(10);
    this.kill("SIGKILL");
  }

  /** Waits for the end of the leader and of its output, which what it leaves behind does not hold up. */
  #wholeOutput(): Promise<readonly [number | null, NodeJS.Signals | null]> {
    const { stdout, stderr } = this.#child;
    let limit: NodeJS.Timeout | undefined;
    const giveUp = (): void => [stdout, stderr].forEach((stream) => stream.destroy());
    return new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (status, signal) => {
        clearTimeout(limit);
        resolve([status, signal]);
      });
      this.#child.once("exit", () => {
        limit = setTimeout(giveUp, GRACE_MS + CLOSING_MS);
        void this.end();
      });
    });
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
