import { dirname, join } from "node:path";
import { readManifest } from "../1-load/read.js";
import type { PartFiles, ReadResult } from "../1-load/read-result.js";
import { decodeText } from "../text/line-ends.js";

/** A file as it was read, and its text after changes, which is not written yet. */
export interface EditedFile {
  /** Its path on the disk. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Its byte-order mark, or empty. */
  readonly mark: string;
  readonly before: string;
  text: string;
}

/** A manifest and the files that it includes, each by the path that diagnostics carry. Those that are no text are left out. */
export class EditedFiles extends Map<string, EditedFile> {
  readonly #manifest: string;
  readonly #read: ReadResult;

  /** @param manifest the path that diagnostics carry */
  constructor(path: string, manifest: string) {
    super();
    this.#manifest = manifest;
    this.#read = readManifest(path, manifest);
    this.#add(manifest, path, this.#read);
  }

  /** What reading the manifest gives, after the changes. */
  read(): ReadResult {
    const parts = this.#read.parts && this.#editedParts(this.#read.parts);
    return { ...this.#edited(this.#manifest, this.#read), ...(parts && { parts }) };
  }

  #editedParts(parts: PartFiles): PartFiles {
    return {
      ...parts,
      read: async (part) => {
        const shown = parts.shown(part);
        if (!this.has(shown)) {
          const path = join(dirname(this.get(this.#manifest)?.path ?? ""), part);
          this.#add(shown, path, await parts.read(part));
        }
        return this.has(shown) ? this.#edited(shown, { diagnostics: [] }) : parts.read(part);
      },
    };
  }

  #edited(shown: string, read: ReadResult): ReadResult {
    const text = this.get(shown)?.text;
    return text === undefined ? read : { bytes: Buffer.from(text), diagnostics: [] };
  }

  #add(shown: string, path: string, { bytes }: ReadResult): void {
    const decoded = bytes && decodeText(bytes);
    if (bytes === undefined || decoded === undefined) return;
    const { mark, text } = decoded;
    this.set(shown, { path, bytes, mark, before: text, text });
  }
}
