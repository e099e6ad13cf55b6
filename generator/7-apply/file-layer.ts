import * as fs from "node:fs";
import { readOpened, wordsOf, type RefusedFile } from "../1-load/regular-file.js";
import { isDiskError, type DiskError } from "../6-reconcile/disk-failure.js";
import type { FileStatus, ReadableFiles } from "../6-reconcile/tree.js";

/**
 * The file-system calls that carry out a plan. Each call is synchronous, so that a test can count the calls, and
 * let one fail or end the process. Paths are absolute. Errors are those of the system.
 */
export interface FileLayer extends ReadableFiles {
  /** Creates a file with its whole content; fails if the path exists. Without `mode`, the file has the user's default mode. */
  create(path: string, content: Uint8Array, mode?: number): void;
  /** Replaces a file at `to` in one step. */
  rename(from: string, to: string): void;
  unlink(path: string): void;
  makeFolder(path: string): void;
  /** Fails unless it is empty. */
  removeFolder(path: string): void;
  /** Waits until the file's content has reached the disk. */
  syncFile(path: string): void;
  /** Waits until the names in the folder have reached the disk. */
  syncFolder(path: string): void;
  /** Throws the error that a write to this file or folder would throw if the permission is missing. */
  assertWritable(path: string): void;
}

/** The largest file that is read, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;

/** The file system of this machine. */
export const diskFiles: FileLayer = {
  status(path) {
    // The option avoids an exception for each of the thousands of files that do not exist yet.
    const stats = absentAsUndefined(() => fs.lstatSync(path, { throwIfNoEntry: false }));
    return (
      stats && {
        kind: kindOf(stats),
        size: stats.size,
        links: stats.nlink,
        mode: stats.mode & 0o777,
      }
    );
  },
  read(path) {
    // Windows has neither flag, and its links need privileges.
    const descriptor = fs.openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
    return closing(descriptor, path, () => {
      const read = readOpened(descriptor, MAX_BYTES);
      if ("bytes" in read) return read.bytes;
      throw refusal(read.refused);
    });
  },
  list: (path) => fs.readdirSync(path),
  create(path, content, mode) {
    const descriptor = fs.openSync(path, "wx");
    closing(descriptor, path, () => {
      fs.writeFileSync(descriptor, content);
      if (mode !== undefined) fs.fchmodSync(descriptor, mode);
    });
  },
  rename: fs.renameSync,
  unlink: fs.unlinkSync,
  makeFolder: (path) => void fs.mkdirSync(path),
  removeFolder: fs.rmdirSync,
  syncFile: (path) => sync(path, "r+"),
  syncFolder(path) {
    if (process.platform !== "win32") sync(path, "r");
  },
  assertWritable: (path) => fs.accessSync(path, fs.constants.W_OK),
};

/** The error for a file that is too large, or that became a pipe or device after its status was asked. */
function refusal(refused: RefusedFile): DiskError {
  const reason = wordsOf(refused);
  const code = refused.kind === "too large" ? "EFBIG" : "EINVAL";
  return Object.assign(new Error(reason), { code, reason, syscall: "read" });
}

function kindOf(stats: fs.Stats): FileStatus["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "symbolic link" : "special file";
}

function absentAsUndefined<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (isDiskError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw error;
  }
}

/** Uses a descriptor and closes it. Adds the path to errors, since errors of calls on descriptors have none. */
function closing<Result>(descriptor: number, path: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw isDiskError(error) ? Object.assign(error, { path }) : error;
  } finally {
    fs.closeSync(descriptor);
  }
}

function sync(path: string, flags: string): void {
  const descriptor = fs.openSync(path, flags);
  closing(descriptor, path, () => {
    try {
      fs.fsyncSync(descriptor);
    } catch (error) {
      // Some file systems do not support fsync for folders.
      if (!isDiskError(error) || error.code !== "EINVAL") throw error;
    }
  });
}
