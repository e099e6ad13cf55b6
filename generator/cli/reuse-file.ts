import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Reuse } from "../5-emit/reuse.js";
import { isDiskError } from "../6-reconcile/disk-failure.js";
import { anchoredFiles } from "../7-apply/anchored-files.js";
import { diskFiles } from "../7-apply/file-layer.js";
import type { Invocation } from "./options.js";
import { mcpwrightVersion } from "./version.js";

/** The file name of the published command. A command in another file, as in development, reuses nothing. */
const BUNDLE = "command.cjs";

/**
 * Loads the results that former runs stored in a project's `node_modules`. They only say which files need not be made
 * again. Whoever can write there could change them, so that nothing that is checked depends on them.
 *
 * @param outDir absolute path of the project
 * @returns undefined if nothing may be reused
 */
export function loadReuse(outDir: string, { flags }: Pick<Invocation, "flags">): Reuse | undefined {
  const compiler = flags.has("no-cache") ? undefined : publishedCompiler();
  return compiler === undefined ? undefined : new Reuse(compiler, savedText(outDir));
}

/**
 * Stores results for later runs, if the project's packages are installed. A failure is ignored, since the next run
 * can work without the stored results.
 */
export function saveReuse(outDir: string, reuse: Reuse | undefined): void {
  const text = reuse?.toKeep();
  if (text === undefined) return;
  const [packages = "", ...own] = foldersIn(outDir);
  const files = anchoredFiles(outDir, diskFiles);
  const path = pathIn(outDir);
  const temporaryPath = `${path}.${process.pid}`;
  try {
    if (diskFiles.status(packages)?.kind !== "folder") return;
    for (const folder of own) if (diskFiles.status(folder) === undefined) files.makeFolder(folder);
    if (!haveNoLinks(outDir)) return;
    if (diskFiles.status(temporaryPath) !== undefined) files.unlink(temporaryPath);
    files.create(temporaryPath, Buffer.from(text));
    files.rename(temporaryPath, path);
  } catch (error) {
    if (!isDiskError(error)) throw error;
    // The next run makes every file again.
  }
}

/** The folders of the stored results, from the outermost. */
function foldersIn(outDir: string): string[] {
  const packages = join(outDir, "node_modules");
  return [packages, join(packages, ".cache"), join(packages, ".cache/mcpwright")];
}

function pathIn(outDir: string): string {
  return join(outDir, "node_modules/.cache/mcpwright/reuse.json");
}

/** True if the folders are there and none of them is a link, which could lead out of the project. */
function haveNoLinks(outDir: string): boolean {
  return foldersIn(outDir).every((folder) => diskFiles.status(folder)?.kind === "folder");
}

function savedText(outDir: string): string | undefined {
  const path = pathIn(outDir);
  try {
    const status = haveNoLinks(outDir) ? diskFiles.status(path) : undefined;
    if (status?.kind !== "file") return undefined;
    return new TextDecoder().decode(diskFiles.read(path));
  } catch (error) {
    if (!isDiskError(error)) throw error;
    return undefined;
  }
}

let cachedCompiler: string | undefined;

/**
 * The version and a hash of the bundled command, which contains the templates. Undefined if the running command is not the
 * bundled one. It is read once: `dev` runs on with this code where another version is installed meanwhile.
 */
function publishedCompiler(): string | undefined {
  const file = fileURLToPath(import.meta.url);
  if (basename(file) !== BUNDLE) return undefined;
  return (cachedCompiler ??= `${mcpwrightVersion()} ${hash("sha256", readFileSync(file), "hex")}`);
}
