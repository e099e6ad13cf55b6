import { TurnQueue } from "../backends/turn-queue.js";

/** Most calls that wait for the answers of a server at once. */
const MAX_CALLS = 64;

/**
 * Most bytes of answers that a program is expected to have in memory at once, as long as they are not read. A program of
 * Node.js ends when it has more than 2 GiB of texts to write, where each character counts three bytes.
 */
const MAX_UNREAD_BYTES = 2 ** 29;

/** The places for calls that wait for the answers of one server at once. The others wait for a place. */
export class CallPlaces {
  readonly #turns = new TurnQueue();
  #taken = 0;
  /** How long the next answers may be, in bytes. */
  #expectedBytes: number;

  /**
   * @param maxBytes the maximum length of an answer, if all answers come one after the other through one pipe; otherwise 0.
   *   The first answers are expected to have it.
   */
  constructor(maxBytes: number) {
    this.#expectedBytes = maxBytes;
  }

  /** Takes a place. @throws the reason of the signal */
  async take(signal: AbortSignal): Promise<void> {
    while (this.#free() <= 0) await this.#turns.wait(signal);
    this.#taken++;
  }

  /** Gives a place back. @param bytes about the length of the answer; 0 if there is none */
  leave(bytes: number): void {
    this.#taken--;
    if (this.#expectedBytes > 0 && bytes > 0)
      this.#expectedBytes = Math.max(bytes, this.#expectedBytes / 2);
    for (let free = this.#free(); free > 0; free--) this.#turns.next();
  }

  #free(): number {
    const most = Math.floor(MAX_UNREAD_BYTES / this.#expectedBytes);
    return Math.max(1, Math.min(MAX_CALLS, most)) - this.#taken;
  }
}
