/** Longest line that is kept until it is whole, in bytes. */
const longestLine = 2 ** 20;

const newline = 0x0a;

/** Cuts a stream of bytes into lines, each with its end. */
export class Lines {
  readonly #take: (bytes: Buffer, isWhole: boolean) => void;
  #begun: Buffer[] = [];
  #length = 0;
  /** Whether the begun line was too long to be kept, and goes on piece by piece. */
  #isInPieces = false;

  /** @param take Gets each line; a very long one in pieces, which are not whole. */
  constructor(take: (bytes: Buffer, isWhole: boolean) => void) {
    this.#take = take;
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
    const line = this.#length === 0 ? last : Buffer.concat([...this.#begun, last]);
    const isWhole = !this.#isInPieces;
    this.#begun = [];
    this.#length = 0;
    this.#isInPieces = false;
    this.#take(line, isWhole);
  }

  #begin(bytes: Buffer): void {
    if (this.#isInPieces) return this.#take(bytes, false);
    this.#begun.push(bytes);
    this.#length += bytes.length;
    if (this.#length <= longestLine) return;
    const piece = Buffer.concat(this.#begun);
    this.#begun = [];
    this.#length = 0;
    this.#isInPieces = true;
    this.#take(piece, false);
  }
}
