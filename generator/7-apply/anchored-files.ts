import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { isDiskError } from "../6-reconcile/disk-failure.js";
import type { FileLayer } from "./file-layer.js";

const { O_DIRECTORY, O_RDONLY } = fs.constants;

/** The folder in which Linux shows the open files of a process; other systems have none. */
const OPENED = "/proc/self/fd";

/** Uses a path that leads to a file through an open folder. */
type Use = (path: string) => void;

/**
 * A file layer that never writes, moves or removes anything outside a folder, even if somebody replaces a folder
 * of the path by a link between the check and the call. It opens the folder, checks where the opened folder is, and
 * makes the call through it. This works on Linux only; on other systems the result is `files` itself.
 *
 * @param root absolute path of a folder, which may not exist yet and may itself be a link
 */
export function anchoredFiles(root: string, files: FileLayer): FileLayer {
  if (!fs.existsSync(OPENED)) return files;
  let realRoot: string | undefined;
  const through = (path: string, use: Use): void => {
    if (!path.startsWith(`${root}/`)) return use(path);
    realRoot ??= fs.realpathSync(root);
    throughFolder(path, realRoot + dirname(path).slice(root.length), use);
  };
  return {
    ...files,
    create: (path, content, mode) => through(path, (at) => files.create(at, content, mode)),
    rename: (from, to) =>
      through(from, (source) => through(to, (target) => files.rename(source, target))),
    unlink: (path) => through(path, (at) => files.unlink(at)),
    makeFolder: (path) => through(path, (at) => files.makeFolder(at)),
    removeFolder: (path) => through(path, (at) => files.removeFolder(at)),
  };
}

/**
 * Uses a path through its opened folder.
 *
 * @param expected path that the folder must have, without links
 * @throws an error of the system for the path; ELOOP if the folder has another path
 */
function throughFolder(path: string, expected: string, use: Use): void {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(dirname(path), O_RDONLY | O_DIRECTORY);
    const opened = `${OPENED}/${descriptor}`;
    if (fs.readlinkSync(opened) !== expected) {
      throw Object.assign(new Error("a folder has become a link"), {
        ...{ code: "ELOOP", syscall: "open" },
      });
    }
    use(`${opened}/${basename(path)}`);
  } catch (error) {
    // The path through the opened folder would not be understood, so the error gets the original path.
    throw isDiskError(error) ? Object.assign(error, { path }) : error;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
