import type { Readable } from "node:stream";
import { GRACE_MS, ProcessGroup, type GroupLeader } from "./process-group.js";

/** A program to run, with its input and the limit of its output. */
export interface Launch extends GroupLeader {
  /** The text for its stdin; undefined if it has no stdin. */
  readonly stdin: string | undefined;
  /** The maximum number of bytes that are kept of its stdout. */
  readonly maxBytes: number;
  /** Reserves memory for long output. @returns a function to be called with its real length */
  readonly reserve?: (bytes: number) => Promise<((actual: number) => void) | undefined>;
}

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
   * @throws the reason of the signal, after the group has ended
   */
  async run(launch: Launch, signal: AbortSignal): Promise<ProgramOutcome> {
    signal.throwIfAborted();
    const group = new ProcessGroup(launch, launch.stdin !== undefined);
    const stop = (): void => void group.end();
    this.#groups.add(group);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const outcome = await outcomeOf(group, launch);
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

/** The part of the output that is read before memory is reserved: most output is shorter. */
const UNRESERVED_BYTES = 65_536;

/** The first bytes of a stream. Later bytes are read and discarded, so that the program is not blocked. */
class LimitedOutput {
  readonly #chunks: Buffer[] = [];
  readonly #stream: Readable;
  readonly #maxBytes: number;
  readonly #reserve: Launch["reserve"];
  #reserved: ReturnType<NonNullable<Launch["reserve"]>> | undefined;
  #length = 0;

  constructor(stream: Readable, maxBytes: number, reserve?: Launch["reserve"]) {
    this.#stream = stream;
    this.#maxBytes = maxBytes;
    this.#reserve = reserve;
    stream.on("data", (chunk: Buffer) => this.#keep(chunk));
    stream.on("error", () => undefined);
  }

  get isCut(): boolean {
    return this.#length > this.#maxBytes;
  }

  /** Resolves when no memory has to be waited for. @throws ToolError if none becomes free in time */
  async admitted(): Promise<void> {
    await this.#reserved;
  }

  /** Says how much memory is needed. @throws ToolError if there was none */
  async finish(): Promise<void> {
    const finish = await this.#reserved;
    finish?.(Math.min(this.#length, this.#maxBytes));
  }

  /** The bytes decoded as UTF-8, without a character that was cut in the middle. */
  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: this.isCut });
  }

  #keep(chunk: Buffer): void {
    const remaining = this.#maxBytes - this.#length;
    if (remaining > 0) this.#chunks.push(chunk.subarray(0, remaining));
    this.#length += chunk.length;
    const isLong = this.#length > UNRESERVED_BYTES && this.#maxBytes > UNRESERVED_BYTES;
    if (isLong && this.#reserve !== undefined && this.#reserved === undefined)
      this.#waitForMemory();
  }

  #waitForMemory(): void {
    this.#stream.pause();
    this.#reserved = this.#reserve?.(this.#maxBytes);
    // Without memory the call fails, and the output is not needed.
    const resume = (): void => void this.#stream.resume();
    this.#reserved?.then(resume, resume);
  }
}

async function outcomeOf(
  group: ProcessGroup,
  { stdin, maxBytes, reserve }: Launch,
): Promise<ProgramOutcome> {
  const { child } = group;
  const stdout = new LimitedOutput(child.stdout, maxBytes, reserve);
  const stderr = new LimitedOutput(child.stderr, MAX_STDERR_BYTES);
  // Writing fails if the program ends without reading all of its input, which is no error.
  child.stdin?.on("error", () => undefined).end(stdin);
  const [status, signal] = await exitOf(group, stdout);
  await stdout.finish();
  return { status: status ?? undefined, signal: signal ?? undefined, stdout, stderr };
}

/** Waits until the leader has ended and its output is closed, for a limited time if other processes keep it open. */
function exitOf(
  group: ProcessGroup,
  stdout: LimitedOutput,
): Promise<readonly [number | null, NodeJS.Signals | null]> {
  const { child } = group;
  let timer: NodeJS.Timeout | undefined;
  const closeOutput = (): void =>
    [child.stdout, child.stderr].forEach((stream) => stream.destroy());
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => {
      clearTimeout(timer);
      resolve([status, signal]);
    });
    const closeSoon = (): void => {
      timer = setTimeout(closeOutput, GRACE_MS + CLOSE_TIMEOUT_MS);
    };
    child.once("exit", () => {
      // Output that waits for memory is read later.
      stdout.admitted().then(closeSoon, closeSoon);
      void group.end();
    });
  });
}
