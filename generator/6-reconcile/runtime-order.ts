import { isRuntimeFile, versionOfRuntimeFile } from "../5-emit/project/runtime-package.js";
import type { OutputFile } from "../model/output-file.js";
import type { Lock } from "./lock.js";

/** Two runtimes in words: `runtime 0.1.0-hd1451379 of 2026-11-28 09:52:58`. */
interface LaterRuntime {
  readonly found: string;
  readonly own: string;
}

/**
 * The runtime that a project was generated with, if it is later than that of this generation. Builds of one version of
 * mcpwright differ by the hash in the version of their runtime, which has no order; when their sources were committed does.
 * Undefined where either does not say when.
 */
export function laterRuntime(lock: Lock, files: readonly OutputFile[]): LaterRuntime | undefined {
  const own = files.find(({ path }) => isRuntimeFile(path));
  if (own?.owner !== "generated" || own.sourceDate === undefined) return undefined;
  for (const [path, { sourceDate }] of lock.files) {
    if (!isRuntimeFile(path) || path === own.path || sourceDate === undefined) continue;
    if (sourceDate <= own.sourceDate) continue;
    return { found: inWords(path, sourceDate), own: inWords(own.path, own.sourceDate) };
  }
  return undefined;
}

function inWords(path: string, sourceDate: string): string {
  return `runtime ${versionOfRuntimeFile(path)} of ${sourceDate.replace("T", " ").replace("Z", "")}`;
}
