import { hash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Reuse } from "../5-emit/reuse.js";
import type { Invocation } from "./options.js";
import { mcpwrightVersion } from "./version.js";

/** The file name of the published command. A command in another file, as in development, reuses nothing. */
const BUNDLE = "command.cjs";

/**
 * Loads the results that former runs stored in a project's `node_modules`.
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
  const path = pathIn(outDir);
  try {
    if (!statSync(join(outDir, "node_modules")).isDirectory()) return;
    mkdirSync(dirname(path), { recursive: true });
    const temporaryPath = `${path}.${process.pid}`;
    writeFileSync(temporaryPath, text);
    renameSync(temporaryPath, path);
  } catch {
    // The next run makes every file again.
  }
}

function pathIn(outDir: string): string {
  return join(outDir, "node_modules/.cache/mcpwright/reuse.json");
}

function savedText(outDir: string): string | undefined {
  try {
    return readFileSync(pathIn(outDir), "utf8");
  } catch {
    return undefined;
  }
}

/**
 * The version and a hash of the bundled command, which contains a hash of the templates. Undefined if the running
 * command is not the bundled one.
 */
function publishedCompiler(): string | undefined {
  const file = fileURLToPath(import.meta.url);
  if (basename(file) !== BUNDLE) return undefined;
  return `${mcpwrightVersion()} ${hash("sha256", readFileSync(file), "hex")}`;
}
