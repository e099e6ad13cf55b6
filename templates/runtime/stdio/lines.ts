import { MessageOutline } from "./message-outline.js";

/** A line beyond this length is outlined while it arrives, in bytes. */
const longLine = 2 ** 20;

const newline = 0x0a;

/** Gets the lines of a stream. */
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
  #begun: Buffer[] = [];
  #length = 0;
  /** The outline of the current line, once that is long. */
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
    if (start < chunk.length) this.#begin(chunk.subarray(start));
  }

  #finish(last: Buffer): void {
    const isTooLong = this.#length + last.length - 1 > this.#longest;
    const line = this.#length === 0 || isTooLong ? last : Buffer.concat([...this.#begun, last]);
    const outline = isTooLong ? this.#outlined(last) : undefined;
    this.#begun = [];
    this.#length = 0;
    this.#outline = undefined;
    if (outline === undefined) this.#taker.take(line);
    else this.#taker.skip(outline);
  }

  #begin(bytes: Buffer): void {
    if (this.#length + bytes.length > Math.min(longLine, this.#longest)) this.#outlined(bytes);
    this.#length += bytes.length;
    if (this.#length > this.#longest) this.#begun = [];
    else this.#begun.push(bytes);
  }

  /** Adds bytes to the outline of the current line. */
  #outlined(bytes: Buffer): MessageOutline {
    if (this.#outline === undefined) {
      this.#outline = new MessageOutline();
      for (const part of this.#begun) this.#outline.add(part);
    }
    this.#outline.add(bytes);
    return this.#outline;
  }
}
