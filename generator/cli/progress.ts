import { setImmediate } from "node:timers/promises";
import type { FileLayer } from "../7-apply/file-layer.js";
import type { Pace } from "../model/pace.js";
import type { ServerModel } from "../model/server-model.js";
import type { Reporter } from "./report/reporter.js";

/** Items, or files: smaller projects are done before a line could be read. */
const shortestShown = 100;
/** Milliseconds between two lines, and for which signals may have to wait. */
const interval = 100;

/** Says that a large server is being compiled, and lets Ctrl-C through from time to time. */
export function paceFor(reporter: Reporter, manifest: { readonly model: ServerModel }): Pace {
  const isDue = every(interval);
  return async () => {
    if (!isDue()) return;
    const { tools, resources, resourceTemplates, prompts } = manifest.model;
    const items = tools.length + resources.length + resourceTemplates.length + prompts.length;
    if (items >= shortestShown)
      reporter.progress(`compiling ${items} tools, resources and prompts`);
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

/** Says true at first, and then at most once in so many milliseconds. */
function every(milliseconds: number): () => boolean {
  let last = -Infinity;
  return () => {
    const now = process.uptime() * 1_000;
    if (now - last < milliseconds) return false;
    last = now;
    return true;
  };
}
