import { isAbsolute, relative, resolve } from "node:path";

/** The folder that paths in diagnostics are relative to, and the folder that other programs expect. */
export interface PathFrame {
  /** Folder of the run, absolute. */
  readonly folder: string;
  /** Folder of the repository, absolute; the checkout in CI. */
  readonly repository: string;
}

/** A diagnostic's path relative to the repository, with `/`. Absolute if it is outside of the repository. */
export function repositoryPath(file: string, { folder, repository }: PathFrame): string {
  const path = resolve(folder, file);
  const inside = relative(repository, path);
  const isOutside = inside === "" || isAbsolute(inside) || /^\.\.(?:[/\\]|$)/.test(inside);
  return isOutside ? path : inside.replaceAll("\\", "/");
}
