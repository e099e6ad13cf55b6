import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { readText } from "../read-text.js";
import type { Snapshot } from "./watched-files.js";

/** The texts of a project's modules that its compiler accepted, by their URLs. */
export type CheckedSources = Readonly<Record<string, string>>;

/** Reads the modules among the watched files. Modules that were deleted meanwhile are left out. */
export function readSources({ files }: Snapshot): CheckedSources {
  const modules = [...files.keys()].filter((path) => /\.m?[jt]s$/.test(path));
  return Object.fromEntries(modules.flatMap(sourceOf));
}

function sourceOf(path: string): [url: string, source: string][] {
  try {
    const url = pathToFileURL(realpathSync(path)).href;
    const source = readText(path);
    return source === undefined ? [] : [[url, source]];
  } catch {
    return [];
  }
}

/**
 * A program for Node's option `--import`, which runs before tsx. It waits for the first message of its parent
 * process, which contains the sources, and makes Node.js load them instead of the files. Node.js before 22.15 runs
 * the hook in a separate thread.
 */
export const loadCheckedSources = `
  import module from "node:module";
  const sources = await new Promise((resolve) => process.once("message", resolve));
  const load = (sources) => (url, context, next) => {
    const source = context.format === "module" ? sources[url.split("?")[0]] : undefined;
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  };
  if (module.registerHooks !== undefined) module.registerHooks({ load: load(sources) });
  else {
    const thread = \`let hook; export const initialize = (sources) => { hook = (\${load})(sources); };
      export const load = (...request) => hook(...request);\`;
    module.register("data:text/javascript," + encodeURIComponent(thread), { data: sources });
  }
`;
