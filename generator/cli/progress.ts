import { setImmediate } from "node:timers/promises";
import type { FileLayer } from "../7-apply/file-layer.js";
import type { Pace } from "../model/pace.js";
import type { ServerModel } from "../model/server-model.js";
import type { Reporter } from "./report/reporter.js";

/** Progress is shown from this number of items or files on. Smaller projects are done before a person could read it. */
const fewestShown = 100;
/** Milliseconds between two progress lines. Also the longest time that a signal waits. */
const interval = 100;

/** Shows progress while a large server is compiled, and lets Node.js handle signals such as Ctrl-C. */
export function paceFor(reporter: Reporter, manifest: { readonly model: ServerModel }): Pace {
  const isDue = every(interval);
  return async () => {
    if (!isDue()) return;
    const { tools, resources, resourceTemplates, prompts } = manifest.model;
    const items = tools.length + resources.length + resourceTemplates.length + prompts.length;
    if (items >= fewestShown) reporter.progress(`compiling ${items} tools, resources and prompts`);
    await setImmediate();
  };
}

/** Wraps a file layer so that it shows how many files have been written. A file counts when it is renamed into place. */
export function filesWithProgress(files: FileLayer, reporter: Reporter): FileLayer {
  const isDue = every(interval);
  let written = 0;
  return {
    ...files,
    rename(from, to) {
      files.rename(from, to);
      written += 1;
      if (written >= fewestShown && isDue()) reporter.progress(`wrote ${written} files`);
    },
  };
}

/** Makes a function that returns true at the first call, and then at most once in each interval. */
function every(milliseconds: number): () => boolean {
  let last = -Infinity;
  return () => {
    const now = process.uptime() * 1_000;
    if (now - last < milliseconds) return false;
    last = now;
    return true;
  };
}
