import { cp, lstat, realpath, stat } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";
import { isServedPath, mayOpenBelow } from "../directories/directory.js";

/**
 * Copies a folder with the files that clients can read from it: no hidden ones unless `hidden` is true, and nothing
 * outside of the folder. Links become the files that they lead to. An absent folder has no files.
 */
export async function copyServedFolder(
  folder: string,
  target: string,
  hidden: boolean,
): Promise<void> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return;
  const mayOpen = mayOpenBelow(root, hidden);
  const filter = async (source: string): Promise<boolean> => {
    if (source === root) return true;
    if (!isServedPath(relative(root, source).split(sep).join("/"), hidden)) return false;
    const realPath = await realpath(source).catch(() => undefined);
    if (realPath === undefined || !mayOpen(realPath)) return false;
    const status = await stat(realPath);
    return status.isDirectory() ? !(await isLinkInLinkedFolder(source)) : status.isFile();
  };
  await cp(root, target, { recursive: true, dereference: true, filter });
}

/** Such links to folders are not followed, since they may lead in circles. */
async function isLinkInLinkedFolder(path: string): Promise<boolean> {
  const folder = dirname(path);
  return (await lstat(path)).isSymbolicLink() && (await realpath(folder)) !== folder;
}
