import { constants } from "node:fs";
import { mkdir, open, readFile, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

/** A path that leads out of the workspace, by `..`, by being absolute, or through a symbolic link. */
export class OutsideWorkspaceError extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} is outside the workspace`);
    this.path = path;
  }
}

/** A folder and nothing beside it: every path that it takes is checked to stay inside. */
export class Workspace {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Opens a folder, and makes it where it is missing. */
  static async open(folder: string): Promise<Workspace> {
    await mkdir(folder, { recursive: true });
    return new Workspace(await realpath(folder));
  }

  /** Reads a text file. */
  async read(path: string): Promise<string> {
    return readFile(await this.#existing(path), "utf8");
  }

  /** Writes a text file and makes the folders on its way; never follows a symbolic link at its end. */
  async write(path: string, content: string): Promise<void> {
    const target = this.#inside(path);
    await mkdir(await this.#parentOf(target, path), { recursive: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    const file = await open(target, flags, 0o644);
    try {
      await file.writeFile(content, "utf8");
    } finally {
      await file.close();
    }
  }

  #inside(path: string): string {
    const target = resolve(this.#root, path);
    if (isAbsolute(path) || path.includes("\0") || !this.#holds(target)) {
      throw new OutsideWorkspaceError(path);
    }
    return target;
  }

  async #existing(path: string): Promise<string> {
    const real = await realpath(this.#inside(path));
    if (!this.#holds(real)) throw new OutsideWorkspaceError(path);
    return real;
  }

  /** The folder to make for a file; its part that exists already must not lead out through a link. */
  async #parentOf(target: string, path: string): Promise<string> {
    const parent = dirname(target);
    let existing = parent;
    for (;;) {
      const real = await realpath(existing).catch(ignoreMissing);
      if (real !== undefined) {
        if (real !== this.#root && !this.#holds(real)) throw new OutsideWorkspaceError(path);
        return parent;
      }
      existing = dirname(existing);
    }
  }

  #holds(target: string): boolean {
    const path = relative(this.#root, target);
    return path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
