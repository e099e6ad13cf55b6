import type { Readable } from "node:stream";
import type { StreamMemory } from "../backends/stream-memory.js";
import { busy } from "../memory/waiting-answers.js";
import { GRACE_MS, ProcessGroup, type GroupLeader } from "./process-group.js";

/** A program to run, with its input and the limit of its output. */
export interface Launch extends GroupLeader {
  /** The text for its stdin; undefined if it has no stdin. */
  readonly stdin: string | undefined;
  /** The maximum number of bytes that are kept of its stdout. */
  readonly maxBytes: number;
}

/** Makes the memory for what a program writes to stdout. */
export type OutputMemory = (stdout: Readable) => StreamMemory;

/** The exit and the output of a program. */
export interface ProgramOutcome {
  /** Undefined if a signal ended the program. */
  readonly status: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: LimitedOutput;
  readonly stderr: LimitedOutput;
}

/** The maximum number of bytes that are kept of a program's stderr. */
const MAX_STDERR_BYTES = 65_536;

/** How long to wait for the end of output that a process outside of the group keeps open, in milliseconds. */
const CLOSE_TIMEOUT_MS = 500;

/** The programs that a server runs. */
export class ProgramGroups {
  readonly #groups = new Set<ProcessGroup>();

  /**
   * Runs a program as the leader of a process group. The group ends when the program ends or the signal is aborted.
   *
   * @throws the error of the system if the program cannot be started
   * @throws ToolError if there is no memory for its output
   * @throws the reason of the signal, after the group has ended
   */
  async run(launch: Launch, signal: AbortSignal, memory?: OutputMemory): Promise<ProgramOutcome> {
    signal.throwIfAborted();
    const group = new ProcessGroup(launch, launch.stdin !== undefined);
    const stop = (): void => void group.end();
    this.#groups.add(group);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const outcome = await outcomeOf(group, launch, memory);
      signal.throwIfAborted();
      return outcome;
    } finally {
      signal.removeEventListener("abort", stop);
      await group.end();
      group.forget();
      this.#groups.delete(group);
    }
  }

  /** Ends all running programs. */
  async close(): Promise<void> {
    await Promise.all([...this.#groups].map((group) => group.end()));
  }
}

/** The first bytes of a stream. Later bytes are read and discarded, so that the program is not blocked. */
class LimitedOutput {
  readonly #chunks: Buffer[] = [];
  readonly #maxBytes: number;
  readonly #memory: StreamMemory | undefined;
  #length = 0;

  /** @param memory that is reserved for the bytes */
  constructor(stream: Readable, maxBytes: number, memory?: StreamMemory) {
    this.#maxBytes = maxBytes;
    this.#memory = memory;
    stream.on("data", (chunk: Buffer) => this.#keep(chunk));
    stream.on("error", () => undefined);
  }

  get isCut(): boolean {
    return this.#length > this.#maxBytes;
  }

  /** The bytes decoded as UTF-8, without a character that was cut in the middle. */
  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: this.isCut });
  }

  /** Must be called when the stream has ended. @throws ToolError if there was no memory for the bytes */
  async finish(): Promise<void> {
    this.#memory?.finish(Math.min(this.#length, this.#maxBytes));
    await this.#memory?.admission.catch(() => {
      throw busy(true);
    });
  }

  #keep(chunk: Buffer): void {
    const remaining = this.#maxBytes - this.#length;
    this.#length += chunk.length;
    if (this.#memory?.isRefused) this.#chunks.length = 0;
    else if (remaining > 0) this.#chunks.push(chunk.subarray(0, remaining));
    // What becomes of the wait for memory is told by `finish`.
    void this.#memory?.arrived(Math.min(this.#length, this.#maxBytes));
  }
}

async function outcomeOf(
  group: ProcessGroup,
  { stdin, maxBytes }: Launch,
  memory: OutputMemory | undefined,
): Promise<ProgramOutcome> {
  const { child } = group;
  const stdoutMemory = memory?.(child.stdout);
  const stdout = new LimitedOutput(child.stdout, maxBytes, stdoutMemory);
  const stderr = new LimitedOutput(child.stderr, MAX_STDERR_BYTES);
  // Writing fails if the program ends without reading all of its input, which is no error.
  child.stdin?.on("error", () => undefined).end(stdin);
  const [status, signal] = await exitOf(group, stdoutMemory);
  await stdout.finish();
  return { status: status ?? undefined, signal: signal ?? undefined, stdout, stderr };
}

/** Waits until the leader has ended and its output is closed, for a limited time if other processes keep it open. */
function exitOf(
  group: ProcessGroup,
  memory: StreamMemory | undefined,
): Promise<readonly [number | null, NodeJS.Signals | null]> {
  const { child } = group;
  let timer: NodeJS.Timeout | undefined;
  const closeOutput = (): void => {
    // Output that waits for memory is read later.
    if (memory?.isWaiting) memory.admission.then(closeSoon, closeSoon);
    else for (const stream of [child.stdout, child.stderr]) stream.destroy();
  };
  const closeSoon = (): void => {
    timer = setTimeout(closeOutput, GRACE_MS + CLOSE_TIMEOUT_MS);
  };
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => {
      clearTimeout(timer);
      resolve([status, signal]);
    });
    child.once("exit", () => {
      closeSoon();
      void group.end();
    });
  });
}
