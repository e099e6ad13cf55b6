/** Most bytes that are kept of an answer: so few that no memory is reserved for them. */
const MAX_BYTES = 32_768;

/** The blank line at the end of an event. */
const EVENT_END = /\r\n\r\n|\n\n|\r\r/g;

/** What has come of the answer to a call, in case that it cannot be read to its end. */
export class ReceivedBytes {
  #status: number | undefined;
  #isStream = false;
  #isMalformed = false;
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** The status of the answer; undefined if it has not begun. */
  get status(): number | undefined {
    return this.#status;
  }

  /** Must be called when the answer begins. @param isStream whether it comes as events */
  begin(status: number, isStream: boolean): void {
    this.#status = status;
    this.#isStream = isStream;
    this.forget();
  }

  /** Adds a part of the body. */
  add(chunk: Uint8Array): void {
    if (this.#isStream) this.#dropEvents(chunk);
    const room = MAX_BYTES - this.#length;
    if (room <= 0) return;
    // A part of a chunk would keep all of it in memory.
    const part = chunk.length <= room ? chunk : chunk.slice(0, room);
    this.#chunks.push(part);
    this.#length += part.length;
  }

  /** Whether it was read to its end, and is no answer of the protocol. */
  get isMalformed(): boolean {
    return this.#isMalformed;
  }

  /** Keeps nothing of an answer that was read and is none of the protocol. */
  setMalformed(): void {
    this.#isMalformed = true;
    this.forget();
  }

  /** Keeps nothing of it: it was read to its end. */
  forget(): void {
    this.#chunks = [];
    this.#length = 0;
  }

  /** Drops what was read if other events have ended since. */
  #dropEvents(chunk: Uint8Array): void {
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (!text.includes("\n\n") && !text.includes("\r\n\r\n")) return;
    this.forget();
  }

  /** The text of what has come; of a stream, of its last event, if that has not ended. */
  text(): string {
    const whole = Buffer.concat(this.#chunks).toString("utf8");
    if (!this.#isStream) return whole;
    const last = whole.split(EVENT_END).at(-1) ?? "";
    return last
      .split(/\r\n|\n|\r/)
      .filter((line) => /^data(?::|$)/.test(line))
      .map((line) => line.replace(/^data(?:: ?|$)/, ""))
      .join("\n");
  }
}
