import { createHash, hash } from "node:crypto";
import { onceForEach } from "../model/once-for-each.js";

/**
 * SHA-256 of the bytes as they are, in hex: tells whether a file changed at all. Done once for bytes that
 * have been read or made, which nothing changes afterwards.
 */
export const hashBytes = onceForEach((bytes: Uint8Array) => hash("sha256", bytes, "hex"));

/** SHA-256 of the content with CRLF read as LF, in hex: the same for both kinds of checkout. */
export function hashContent(content: Uint8Array): string {
  const lines = withLineFeeds(content);
  return hashBytes(lines.length === content.length ? content : lines);
}

/** The content with CRLF read as LF. */
export function withLineFeeds(content: Uint8Array): Buffer {
  return content.length < LARGE ? lineFeedsIn(content) : lineFeedsInLarge(content);
}

/** In bytes: what is smaller is read in less time than it takes to remember what it was. */
const LARGE = 1 << 14;

const lineFeedsInLarge = onceForEach(lineFeedsIn);

function lineFeedsIn(content: Uint8Array): Buffer {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!bytes.includes("\r\n")) return bytes;
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

/** The same of a content that comes in parts. */
export class ContentHash {
  readonly #hash = createHash("sha256");
  #hasReturns = false;

  /** @returns whether the next part is of use */
  add(part: Uint8Array): boolean {
    this.#hasReturns ||= part.includes(CARRIAGE_RETURN);
    if (!this.#hasReturns) this.#hash.update(part);
    return !this.#hasReturns;
  }

  /** `undefined` where the content may have CRLF. */
  result(): string | undefined {
    return this.#hasReturns ? undefined : this.#hash.digest("hex");
  }
}

const CARRIAGE_RETURN = "\r".charCodeAt(0);
