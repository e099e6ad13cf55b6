import { isObject } from "../engine/request-parameters.js";

const quote = 0x22;
const zero = 0x30;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Longest outline, in bytes. It has room for an id, a method and the names of the members. */
const maxOutlineBytes = 1_024;

/**
 * Reads the outermost members of a JSON object that is too long to be kept, while its bytes arrive. An error
 * can then have the id of the request. Nested values are left out.
 */
export class MessageOutline {
  readonly #text = Buffer.alloc(maxOutlineBytes);
  #length = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  add(bytes: Buffer): void {
    // An iterator would take several times as long.
    for (let at = 0; at < bytes.length; at++) this.#add(bytes[at] as number);
  }

  /** The members, with 0 for each nested value; undefined if they are too long, or the text is no object. */
  topLevelMembers(): Readonly<Record<string, unknown>> | undefined {
    if (this.#length > maxOutlineBytes) return undefined;
    try {
      const value: unknown = JSON.parse(this.#text.toString("utf8", 0, this.#length));
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #add(byte: number): void {
    if (this.#isInString) {
      this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      return;
    }
    if (byte === closeBrace || byte === closeBracket) {
      this.#keep(byte);
      this.#depth -= 1;
      return;
    }
    if (byte === openBrace || byte === openBracket) {
      this.#depth += 1;
      if (this.#depth === 2) return this.#write(zero);
    }
    this.#isInString = byte === quote;
    this.#keep(byte);
  }

  #keep(byte: number): void {
    if (this.#depth <= 1) this.#write(byte);
  }

  #write(byte: number): void {
    if (this.#length < maxOutlineBytes) this.#text[this.#length] = byte;
    this.#length += 1;
  }
}
