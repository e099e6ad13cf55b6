import { MessageOutline } from "./message-outline.js";

/** A line above this length, in bytes, is outlined while it arrives. */
const longLine = 2 ** 20;

const newline = 0x0a;

/** Receives the lines of a stream. */
export interface LineTaker {
  /** @param line The line with its line end. */
  take(line: Buffer): void;
  /** Called at the end of a line that was too long. */
  skip(outline: MessageOutline): void;
}

/** Cuts a stream of bytes into lines, and skips those that are too long. */
export class Lines {
  readonly #longest: number;
  readonly #taker: LineTaker;
  #chunks: Buffer[] = [];
  #length = 0;
  /** The outline of the current line; undefined while that is short. */
  #outline: MessageOutline | undefined;

  /** @param longest Longest line that is taken, in bytes, without its end. */
  constructor(longest: number, taker: LineTaker) {
    this.#longest = longest;
    this.#taker = taker;
  }

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#finish(chunk.subarray(start, end + 1));
      start = end + 1;
    }
    if (start < chunk.length) this.#addStart(chunk.subarray(start));
  }

  #finish(last: Buffer): void {
    const isTooLong = this.#length + last.length - 1 > this.#longest;
    const line = this.#length === 0 || isTooLong ? last : Buffer.concat([...this.#chunks, last]);
    const outline = isTooLong ? this.#addToOutline(last) : undefined;
    this.#chunks = [];
    this.#length = 0;
    this.#outline = undefined;
    if (outline === undefined) this.#taker.take(line);
    else this.#taker.skip(outline);
  }

  #addStart(bytes: Buffer): void {
    if (this.#length + bytes.length > Math.min(longLine, this.#longest)) this.#addToOutline(bytes);
    this.#length += bytes.length;
    if (this.#length > this.#longest) this.#chunks = [];
    else this.#chunks.push(bytes);
  }

  /** Adds bytes to the outline of the current line. */
  #addToOutline(bytes: Buffer): MessageOutline {
    if (this.#outline === undefined) {
      this.#outline = new MessageOutline();
      for (const chunk of this.#chunks) this.#outline.add(chunk);
    }
    this.#outline.add(bytes);
    return this.#outline;
  }
}
