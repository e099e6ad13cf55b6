import { isAbsolute, relative, resolve } from "node:path";

/** From where the paths of diagnostics start, and from where other programs want them. */
export interface PathFrame {
  /** Folder of the run, absolute. */
  readonly folder: string;
  /** Folder of the repository, absolute; the checkout in CI. */
  readonly repository: string;
}

/** A diagnostic's path as seen from the repository, with `/`; absolute where it is outside. */
export function repositoryPath(file: string, { folder, repository }: PathFrame): string {
  const path = resolve(folder, file);
  const inside = relative(repository, path);
  const isOutside = inside === "" || isAbsolute(inside) || /^\.\.(?:[/\\]|$)/.test(inside);
  return isOutside ? path : inside.replaceAll("\\", "/");
}
