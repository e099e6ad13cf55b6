import { readFileSync, realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Snapshot } from "./watched-files.js";

/** What the modules of a project held when its compiler accepted them, by their URLs. */
export type CheckedSources = Readonly<Record<string, string>>;

/** The modules among watched files, without those that have gone. */
export function readSources({ files }: Snapshot): CheckedSources {
  const modules = [...files.keys()].filter((path) => /\.m?[jt]s$/.test(path));
  return Object.fromEntries(modules.flatMap(sourceOf));
}

function sourceOf(path: string): [url: string, source: string][] {
  try {
    return [[pathToFileURL(realpathSync(path)).href, readFileSync(path, "utf8")]];
  } catch {
    return [];
  }
}

/**
 * A program for `--import`, before tsx: waits for sources as the first message of its parent process, and gives
 * them to Node.js in place of the files. Node.js before 22.15 runs the hook in a thread of its own.
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
