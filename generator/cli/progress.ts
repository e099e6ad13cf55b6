import { setImmediate } from "node:timers/promises";
import type { FileLayer } from "../7-apply/file-layer.js";
import type { Pace } from "../model/pace.js";
import type { Reporter } from "./report/reporter.js";

/** Shorter runs are over before a line could be read. */
const shortestShown = 100;
/** Milliseconds between two lines, and for which signals may have to wait. */
const interval = 100;

/** Shows how many files are compiled, and lets Ctrl-C through between them. */
export function paceFor(reporter: Reporter): Pace {
  const isDue = every(interval);
  return async (filesDone) => {
    if (!isDue()) return;
    if (filesDone >= shortestShown) reporter.progress(`compiled ${filesDone} files`);
    await setImmediate();
  };
}

/** The same files; shows how many have been put in place. */
export function watchedFiles(files: FileLayer, reporter: Reporter): FileLayer {
  const isDue = every(interval);
  let placed = 0;
  return {
    ...files,
    rename(from, to) {
      files.rename(from, to);
      placed += 1;
      if (placed >= shortestShown && isDue()) reporter.progress(`wrote ${placed} files`);
    },
  };
}

/** Says true at most once in so many milliseconds. */
function every(milliseconds: number): () => boolean {
  let last = performance.now();
  return () => {
    const now = performance.now();
    if (now - last < milliseconds) return false;
    last = now;
    return true;
  };
}
