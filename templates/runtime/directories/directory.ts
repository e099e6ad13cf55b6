import { constants } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { AnswerMemory } from "../context/answer-memory.js";
import { defaultAnswerBytes } from "../engine/limits.js";
import { fileContents, insideOf, openReal, readRegularFile } from "../resources/file.js";
import type { ResourceContents } from "../resources/content.js";
import { NotFoundError } from "../engine/errors.js";
import { isPlainPath } from "../resources/uri-template.js";
import { isAbsence } from "./absence.js";
import { filesBelow, type DirectoryCall, type FoundFile } from "./listing.js";
import { loadMediaTypes } from "./media-types.js";

/** Which files of a directory clients see. */
export interface DirectoryOptions {
  /** Whether clients see files and folders whose names begin with a dot; false by default. */
  readonly hidden?: boolean;
  /** The size of the largest file that clients see, in bytes; 16,777,216 by default. */
  readonly maxBytes?: number;
}

/** A file in a list of resources. */
export interface ListedFile {
  /** The name of the file, without its folder. */
  readonly name: string;
  /** The path from the directory, with slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The media type by the name's extension; absent if that is unknown. */
  readonly mimeType?: string;
}

/** A folder whose files clients read. They do not see devices, pipes, and links to files outside of the folder. */
export interface Directory {
  /**
   * Reads a file, as text if it is text, otherwise as base64.
   *
   * @param path the path from the directory: a text with slashes, or a list of its segments
   * @throws NotFoundError if clients see no such file
   */
  read(path: string | readonly string[]): Promise<ResourceContents>;
  /** At most 10,000 files, sorted by path. Files in linked folders are listed only under their real path. */
  list(): Promise<ListedFile[]>;
  /** The paths of the files that begin with a text, ignoring case. */
  complete(prefix: string): Promise<string[]>;
}

/** A directory for one call. */
export class OpenDirectory implements Directory {
  readonly #root: string | undefined;
  readonly #call: DirectoryCall;
  readonly #memory: AnswerMemory | undefined;
  readonly #hidden: boolean;
  readonly #maxBytes: number;

  /**
   * @param root the absolute path of the folder; the directory has no files if it is undefined
   * @param memory in which the length of a file is reserved before it is read
   */
  constructor(
    root: string | undefined,
    call: DirectoryCall,
    options: DirectoryOptions = {},
    memory?: AnswerMemory,
  ) {
    this.#root = root;
    this.#call = call;
    this.#memory = memory;
    this.#hidden = options.hidden ?? false;
    this.#maxBytes = options.maxBytes ?? defaultAnswerBytes.file;
  }

  async read(path: string | readonly string[]): Promise<ResourceContents> {
    const requestedPath = typeof path === "string" ? path : path.join("/");
    if (!isServedPath(requestedPath, this.#hidden)) throw new NotFoundError();
    try {
      const typeOf = await loadMediaTypes();
      return contentsOf(await this.bytes(requestedPath), typeOf(requestedPath));
    } catch (error) {
      throw isAbsence(error) ? new NotFoundError() : error;
    }
  }

  async list(): Promise<ListedFile[]> {
    const files: ListedFile[] = [];
    const typeOf = await loadMediaTypes();
    for (const { path, size } of await this.files()) {
      const mimeType = typeOf(path);
      files.push({ name: path, path, size, ...(mimeType === undefined ? {} : { mimeType }) });
    }
    return files;
  }

  async complete(prefix: string): Promise<string[]> {
    const lowerCasePrefix = prefix.toLowerCase();
    const paths = (await this.files()).map(({ path }) => path);
    return paths.filter((path) => path.toLowerCase().startsWith(lowerCasePrefix));
  }

  /** The bytes of a file. @throws Error if it cannot be read, or is not in the folder */
  async bytes(path: string): Promise<Buffer> {
    if (this.#root === undefined) throw new NotFoundError();
    const root = await realpath(this.#root);
    const realPath = await realpath(join(root, path));
    const file = await openReal(realPath, constants.O_RDONLY, mayOpenBelow(root, this.#hidden));
    try {
      const limits = { mostBytes: this.#maxBytes, memory: this.#memory };
      return await readRegularFile(file, path, limits);
    } finally {
      await file.close();
    }
  }

  /** The files that clients see, at most 10,000, sorted by path. */
  async files(): Promise<FoundFile[]> {
    if (this.#root === undefined) return [];
    const root = await realpath(this.#root).catch(() => undefined);
    if (root === undefined) return [];
    return filesBelow(root, {
      ...this.#call,
      maxBytes: this.#maxBytes,
      isServed: (path) => isServedPath(path, this.#hidden),
      mayOpen: mayOpenBelow(root, this.#hidden),
    });
  }
}

/**
 * Whether a file of a folder may be opened by its real path. The target of a link follows the same rules as other files.
 *
 * @param root the real path of the folder
 */
export function mayOpenBelow(root: string, hidden: boolean): (realPath: string) => boolean {
  const isInside = insideOf(root);
  return (realPath) => {
    if (!isInside(realPath)) return false;
    const path = relative(root, realPath).split(sep).join("/");
    return hidden || !hasHiddenSegment(path);
  };
}

/** Whether clients may request a path: it means the same on every system, and is not hidden unless `hidden` is set. */
export function isServedPath(path: string, hidden: boolean): boolean {
  return isPlainPath(path) && (hidden || !hasHiddenSegment(path));
}

function hasHiddenSegment(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith("."));
}

function contentsOf(bytes: Buffer, mimeType: string | undefined): ResourceContents {
  const type = mimeType === undefined ? {} : { mimeType };
  try {
    return { ...type, ...fileContents(bytes, mimeType) };
  } catch {
    // The file is not text although its extension says so.
    return { ...type, blob: bytes };
  }
}
