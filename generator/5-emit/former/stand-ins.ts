import { randomUUID } from "node:crypto";
import { onceForEach } from "../../model/once-for-each.js";
import type { GeneratedFile } from "../../model/output-file.js";
import type { FormerGeneration } from "./former-generation.js";

/**
 * Parts of former files that go into new ones as they are. While a text is put together, each is there only
 * by a short text that stands in for it: decoding, joining and encoding megabytes is spared.
 */
class StandIns {
  /** On both sides of a number; nobody can have written it into a manifest. */
  readonly #mark = `\u0001${randomUUID()}`;
  readonly #parts: Uint8Array[] = [];

  /** Of several lines, as the part is. */
  add(part: Uint8Array): string {
    this.#parts.push(part);
    return `${this.#mark}${this.#parts.length - 1}\n${this.#mark}`;
  }

  /** The text in UTF-8 with the parts in their places; `undefined` where it has none. */
  filled(text: string): Buffer | undefined {
    const texts = text.split(this.#mark);
    if (texts.length === 1) return undefined;
    const parts = texts.map((own, index) =>
      index % 2 === 0 ? Buffer.from(own) : (this.#parts[Number(own)] ?? Buffer.alloc(0)),
    );
    return Buffer.concat(parts);
  }
}

const standInsOf = onceForEach((_former: FormerGeneration) => new StandIns());

const LINE_FEED = "\n".charCodeAt(0);

/** Shorter parts may stand on a line with others, which depends on their lengths. */
export const SHORTEST = 200;

/** A text to write in the place of a part of a former file; {@link filledFile} puts the part there. */
export function standInFor(part: Buffer, former: FormerGeneration): string {
  const isLong = part.length >= SHORTEST && part.includes(LINE_FEED);
  return isLong ? standInsOf(former).add(part) : part.toString();
}

/** A generated file whose text may have stand-ins. */
export function filledFile(
  path: string,
  text: string,
  former: FormerGeneration | undefined,
): GeneratedFile {
  const file = { owner: "generated", path } as const;
  const bytes = former && standInsOf(former).filled(text);
  if (bytes === undefined) return { ...file, content: text };
  return {
    ...file,
    bytes,
    get content() {
      return bytes.toString();
    },
  };
}
