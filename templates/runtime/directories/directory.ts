import { constants } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileContents, insideOf, openReal, readRegularFile } from "../resources/file.js";
import type { ResourceContents } from "../resources/content.js";
import { NotFoundError } from "../resources/not-found.js";
import { isPlainPath } from "../resources/uri-template.js";
import { isAbsence } from "./absence.js";
import { filesBelow, type DirectoryCall, type FoundFile } from "./listing.js";
import { mediaTypeOf } from "./media-types.js";

/** What of a directory is there for clients. */
export interface DirectoryOptions {
  /** Whether files and folders are there whose names begin with a dot; they are not without it. */
  readonly hidden?: boolean;
  /** Largest file that is there, in bytes; 16,777,216 without it. */
  readonly maxBytes?: number;
}

/** A file as lists of resources have it. */
export interface ListedFile {
  readonly name: string;
  /** From the directory, with slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly mimeType?: string;
}

/** A folder whose files clients read. Links that lead out of it, devices, pipes and the like are not there. */
export interface Directory {
  /**
   * Reads a file: text where it is one, or else bytes.
   *
   * @param path from the directory: with slashes, or its steps
   * @throws NotFoundError where there is no such file for clients
   */
  read(path: string | readonly string[]): Promise<ResourceContents>;
  /** All files, in the order of their paths. Files in linked folders are listed where they are. */
  list(): Promise<ListedFile[]>;
  /** The paths of the files that begin with what was typed, whatever its case. */
  complete(typed: string): Promise<string[]>;
}

const USUAL_MAX_BYTES = 16_777_216;

/** A directory that a call reads. */
export class OpenDirectory implements Directory {
  readonly #root: string | undefined;
  readonly #call: DirectoryCall;
  readonly #hidden: boolean;
  readonly #maxBytes: number;

  /** @param root undefined where no folder is named: then there are no files */
  constructor(root: string | undefined, call: DirectoryCall, options: DirectoryOptions = {}) {
    this.#root = root;
    this.#call = call;
    this.#hidden = options.hidden ?? false;
    this.#maxBytes = options.maxBytes ?? USUAL_MAX_BYTES;
  }

  async read(path: string | readonly string[]): Promise<ResourceContents> {
    const asked = typeof path === "string" ? path : path.join("/");
    if (!isServedPath(asked, this.#hidden)) throw new NotFoundError();
    try {
      return contentsOf(await this.#bytesOf(asked), asked);
    } catch (error) {
      throw isAbsence(error) ? new NotFoundError() : error;
    }
  }

  async list(): Promise<ListedFile[]> {
    const files: ListedFile[] = [];
    for (const { path, size } of await this.#found()) {
      const mimeType = mediaTypeOf(path);
      files.push({ name: path, path, size, ...(mimeType === undefined ? {} : { mimeType }) });
    }
    return files;
  }

  async complete(typed: string): Promise<string[]> {
    const start = typed.toLowerCase();
    const files = await this.#found();
    return files.map(({ path }) => path).filter((path) => path.toLowerCase().startsWith(start));
  }

  async #bytesOf(path: string): Promise<Buffer> {
    if (this.#root === undefined) throw new NotFoundError();
    const root = await realpath(this.#root);
    const realPath = await realpath(join(root, path));
    const file = await openReal(realPath, constants.O_RDONLY, this.#mayOpenBelow(root));
    try {
      return await readRegularFile(file, path, this.#maxBytes);
    } finally {
      await file.close();
    }
  }

  async #found(): Promise<FoundFile[]> {
    if (this.#root === undefined) return [];
    const root = await realpath(this.#root).catch(() => undefined);
    if (root === undefined) return [];
    return filesBelow(root, {
      ...this.#call,
      maxBytes: this.#maxBytes,
      isServed: (path) => isServedPath(path, this.#hidden),
      mayOpen: this.#mayOpenBelow(root),
    });
  }

  /** What a link leads to is judged as if it were asked for itself. */
  #mayOpenBelow(root: string): (realPath: string) => boolean {
    const isInside = insideOf(root);
    return (realPath) => {
      if (!isInside(realPath)) return false;
      const path = relative(root, realPath).split(sep).join("/");
      return this.#hidden || !hasHiddenStep(path);
    };
  }
}

/** Whether a path names one place on every system, which is no hidden one where those are not there. */
export function isServedPath(path: string, hidden: boolean): boolean {
  return isPlainPath(path) && (hidden || !hasHiddenStep(path));
}

function hasHiddenStep(path: string): boolean {
  return path.split("/").some((step) => step.startsWith("."));
}

function contentsOf(bytes: Buffer, path: string): ResourceContents {
  const mimeType = mediaTypeOf(path);
  const head = mimeType === undefined ? {} : { mimeType };
  try {
    return { ...head, ...fileContents(bytes, mimeType) };
  } catch {
    // Its extension says that it is a text, which it is not.
    return { ...head, blob: bytes };
  }
}
