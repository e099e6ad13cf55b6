import type { Readable } from "node:stream";
import { GRACE_MS, ProcessGroup, type GroupLeader } from "./process-group.js";

/** A program that is to run. */
export interface Launch extends GroupLeader {
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

/** Most bytes that are kept of what a program writes to stderr. */
const MOST_STDERR_BYTES = 65_536;

/** How long output is waited for that a process outside the group holds open, in milliseconds. */
const CLOSING_MS = 500;

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
    const group = new ProcessGroup(launch, launch.stdin !== undefined);
    const stop = (): void => void group.end();
    this.#own.add(group);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const ended = await outcome(group, launch);
      signal.throwIfAborted();
      return ended;
    } finally {
      signal.removeEventListener("abort", stop);
      await group.end();
      group.forget();
      this.#own.delete(group);
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

async function outcome(group: ProcessGroup, { stdin, maxBytes }: Launch): Promise<Ended> {
  const { child } = group;
  const stdout = new KeptBytes(child.stdout, maxBytes);
  const stderr = new KeptBytes(child.stderr, MOST_STDERR_BYTES);
  // A program need not read all that it is given.
  child.stdin?.on("error", () => undefined).end(stdin);
  const [status, signal] = await wholeOutput(group);
  return { status: status ?? undefined, signal: signal ?? undefined, stdout, stderr };
}

/** Waits for the end of the leader and of its output, which what it leaves behind does not hold up. */
function wholeOutput(
  group: ProcessGroup,
): Promise<readonly [number | null, NodeJS.Signals | null]> {
  const { child } = group;
  let limit: NodeJS.Timeout | undefined;
  const giveUp = (): void => [child.stdout, child.stderr].forEach((stream) => stream.destroy());
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => {
      clearTimeout(limit);
      resolve([status, signal]);
    });
    child.once("exit", () => {
      limit = setTimeout(giveUp, GRACE_MS + CLOSING_MS);
      void group.end();
    });
  });
}
