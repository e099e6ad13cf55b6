import { isAbsolute, parse, relative, resolve, sep } from "node:path";
import { COMMAND_LINE } from "../model/catalogue/command-line.js";
import { unusableOutputFolder } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { catchingDiskErrors } from "./disk-failure.js";
import type { ReadableFiles } from "./tree.js";

/** Absolute paths that the choice of an output folder depends on. */
export interface Surroundings {
  readonly workingFolder: string;
  readonly homeFolder: string;
  readonly manifestFolder: string;
}

/**
 * Why a folder cannot be the output folder; undefined if it can.
 *
 * @param folderArgument the folder as written on the command line
 */
export function checkOutputFolder(
  folderArgument: string,
  surroundings: Surroundings,
  files: ReadableFiles,
): Diagnostic | undefined {
  const problem = problemOf(folderArgument, surroundings, files);
  return problem === undefined
    ? undefined
    : unusableOutputFolder(wholeFile(COMMAND_LINE), { found: folderArgument, problem });
}

function problemOf(
  folderArgument: string,
  { workingFolder, homeFolder, manifestFolder }: Surroundings,
  files: ReadableFiles,
): string | undefined {
  if (folderArgument.trim() === "") return "it is empty";
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f]/.test(folderArgument)) return "its name has control characters";
  const folder = resolve(workingFolder, folderArgument);
  if (folder === parse(folder).root) return "it is the root of the file system";
  if (folder === resolve(homeFolder) || /^~[/\\]?$/.test(folderArgument))
    return "it is a home folder";
  if (isAbove(folder, manifestFolder)) return "the manifest's folder is inside it";
  const special = folder.split(sep).find((name) => /^(\.git|node_modules)$/i.test(name));
  if (special !== undefined) return `it is inside ${special}`;
  return catchingDiskErrors(
    () => {
      const status = files.status(folder);
      return status === undefined || status.kind === "folder"
        ? undefined
        : `it is a ${status.kind}`;
    },
    ({ code }) =>
      code === "ENAMETOOLONG" ? "its name is too long" : `it cannot be read (${code})`,
  );
}

function isAbove(folder: string, inner: string): boolean {
  const path = relative(folder, inner);
  return path !== "" && !isAbsolute(path) && path.split(sep)[0] !== "..";
}
