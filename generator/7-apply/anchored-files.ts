import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { isDiskError } from "../6-reconcile/disk-failure.js";
import type { FileLayer } from "./file-layer.js";

const { O_DIRECTORY, O_RDONLY } = fs.constants;

/** Where Linux shows what is open in a process; other systems have no such place. */
const OPENED = "/proc/self/fd";

/** Does something to a path that leads to a file, or to its place, through a folder that is open. */
type Use = (path: string) => void;

/**
 * The same files, but what is written, moved or removed stays below a folder, even where somebody swaps a folder on
 * the way for a link between the look at it and the call: the folder is opened, the system says where the opened one
 * lies, and the call goes through it. Only Linux can do that; elsewhere nothing changes.
 *
 * @param root absolute path of a folder that need not exist yet, and may itself be a link
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
 * @param expected where the folder of the path is to lie, without links
 * @throws an error of the system, for the path; ELOOP where the folder lies elsewhere
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
    // The path through the opened folder says nothing to a person.
    throw isDiskError(error) ? Object.assign(error, { path }) : error;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
