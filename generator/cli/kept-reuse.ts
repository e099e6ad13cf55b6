import { hash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Reuse } from "../5-emit/reuse.js";
import type { Invocation } from "./options.js";
import { mcpwrightVersion } from "./version.js";

/** The file of the published command; under any other, nothing is reused. */
const BUNDLE = "command.cjs";

/**
 * What former runs have left in a project's `node_modules`.
 *
 * @param outDir absolute path of the project
 * @returns undefined where nothing may be reused
 */
export function openReuse(outDir: string, { flags }: Pick<Invocation, "flags">): Reuse | undefined {
  const compiler = flags.has("no-cache") ? undefined : publishedCompiler();
  return compiler === undefined ? undefined : new Reuse(compiler, keptText(outDir));
}

/** Keeps for later runs what they may reuse, where packages are installed. Where it cannot be written, nothing happens. */
export function keepReuse(outDir: string, reuse: Reuse | undefined): void {
  const text = reuse?.toKeep();
  if (text === undefined) return;
  const path = pathIn(outDir);
  try {
    if (!statSync(join(outDir, "node_modules")).isDirectory()) return;
    mkdirSync(dirname(path), { recursive: true });
    const passing = `${path}.${process.pid}`;
    writeFileSync(passing, text);
    renameSync(passing, path);
  } catch {
    // A later run makes everything anew.
  }
}

function pathIn(outDir: string): string {
  return join(outDir, "node_modules/.cache/mcpwright/reuse.json");
}

function keptText(outDir: string): string | undefined {
  try {
    return readFileSync(pathIn(outDir), "utf8");
  } catch {
    return undefined;
  }
}

/** The version with a hash of the bundle, which begins with a hash of the templates. */
function publishedCompiler(): string | undefined {
  const file = fileURLToPath(import.meta.url);
  if (basename(file) !== BUNDLE) return undefined;
  return `${mcpwrightVersion()} ${hash("sha256", readFileSync(file), "hex")}`;
}
