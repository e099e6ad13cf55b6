import type { Readable } from "node:stream";
import type { AnswerMemory, GrowingMemory } from "../context/answer-memory.js";
import type { Awaitable } from "../engine/awaitable.js";

/** The part of a stream that is read before memory is reserved: most answers are shorter. */
const unreservedBytes = 65_536;

/** Memory is reserved for so many bytes more than have arrived. */
const aheadBytes = 1_048_576;

/** A stream that is read into memory. */
export interface ReadStream {
  readonly stream: Readable;
  /** The most bytes that are kept of it. */
  readonly mostBytes: number;
  /** The number of bytes that it will bring; absent if that is unknown. */
  readonly length?: number | undefined;
}

/** Runs some work whose time does not count for who sends a stream. */
type Untimed = (work: () => Awaitable<void>) => Promise<void>;

/** Reserves memory for what a stream brings, in parts while it arrives. While there is none, the stream is paused. */
export class StreamMemory {
  readonly #read: ReadStream;
  readonly #memory: AnswerMemory | undefined;
  readonly #untimed: Untimed;
  #growing: GrowingMemory | undefined;
  #reservedBytes = unreservedBytes;
  #admission = Promise.resolve();
  #isWaiting = false;
  #isRefused = false;

  /**
   * @param memory absent if it is not limited
   * @param untimed runs the wait for memory
   */
  constructor(read: ReadStream, memory: AnswerMemory | undefined, untimed: Untimed) {
    this.#read = read;
    this.#memory = memory;
    this.#untimed = untimed;
  }

  /** Whether the stream is paused until there is memory. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Whether there was no memory: what arrives must not be kept. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Resolves when the stream goes on that was paused. @throws ToolError if no memory became free in time */
  get admission(): Promise<void> {
    return this.#admission;
  }

  /** Must be called when so many bytes have arrived in all. @returns the {@link admission} if the stream is paused now */
  arrived(bytes: number): Promise<void> | undefined {
    const { stream, mostBytes, length } = this.#read;
    if (this.#memory === undefined || bytes <= this.#reservedBytes) return undefined;
    if (this.#reservedBytes >= mostBytes || this.#isWaiting || this.#isRefused) return undefined;
    const longest = Math.min(mostBytes, length ?? mostBytes);
    this.#reservedBytes = length === undefined ? Math.min(bytes + aheadBytes, longest) : longest;
    const growing = (this.#growing ??= this.#memory.growing(longest));
    this.#isWaiting = true;
    stream.pause();
    this.#admission = this.#untimed(() => growing.growTo(this.#reservedBytes));
    const resume = (): void => {
      this.#isWaiting = false;
      stream.resume();
    };
    this.#admission.then(resume, () => {
      this.#isRefused = true;
      resume();
    });
    return this.#admission;
  }

  /** Must be called with the number of bytes that are kept when no more are read. */
  finish(bytes: number): void {
    this.#growing?.finish(this.#isRefused ? 0 : bytes);
  }
}
