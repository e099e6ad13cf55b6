import { answerMemoryBytes } from "../engine/limits.js";
import type { AnswerConnection } from "../memory/accounts.js";
import { answerMemory } from "./memory.js";

/** What an {@link AnswerStream} tells. */
interface AnswerStreamOptions {
  /** Called when all was taken after the end, or the client takes no more. */
  closed(): void;
  /** Called when an answer to the client got no memory. */
  refused(): void;
}

/**
 * The body of an answer. The runtime takes its bytes as its client reads them; those that wait are counted as those of a
 * socket are.
 */
export class AnswerStream implements AnswerConnection {
  readonly body: ReadableStream<Uint8Array>;
  readonly refused: () => void;
  readonly #closed: () => void;
  readonly #waiting: Uint8Array[] = [];
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #wake: (() => void) | undefined;
  #unread = 0;
  #taken = 0;
  #hasEnded = false;
  #isClosed = false;

  /** @param holder The client's address, under which its memory is counted. */
  constructor(
    readonly holder: string,
    { closed, refused }: AnswerStreamOptions,
  ) {
    this.refused = refused;
    this.#closed = closed;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: (controller) => this.#give(controller),
        cancel: () => this.#close(),
      },
      // Nothing is taken before somebody reads.
      { highWaterMark: 0 },
    );
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  unread(): number {
    return this.#unread;
  }

  taken(): number {
    return this.#taken;
  }

  /** Adds bytes; those of a closed stream are dropped. A client may not leave more of one stream unread than of all. */
  write(bytes: Uint8Array): void {
    if (this.#isClosed || this.#hasEnded || bytes.length === 0) return;
    this.#waiting.push(bytes);
    this.#unread += bytes.length;
    this.#wake?.();
  }

  /** Breaks the stream off if its client has left too much of it unread. */
  endIfTooLong(): void {
    if (this.#unread > answerMemoryBytes.ofAddress) this.end();
  }

  /** There is no more to write. */
  finish(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  /** Breaks the stream off. */
  end(): void {
    if (this.#isClosed) return;
    this.#controller?.error(new Error("The answer was broken off"));
    this.#close();
    this.#wake?.();
  }

  async #give(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (this.#waiting.length === 0 && !this.#hasEnded && !this.#isClosed) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#isClosed) return;
    const bytes = this.#waiting.shift();
    if (bytes !== undefined) {
      this.#unread -= bytes.length;
      this.#taken += bytes.length;
      controller.enqueue(bytes);
      if (this.#unread === 0) answerMemory.budget.drained(this);
    }
    if (this.#waiting.length > 0 || !this.#hasEnded) return;
    controller.close();
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting.length = 0;
    this.#unread = 0;
    answerMemory.budget.closed(this);
    this.#closed();
  }
}
