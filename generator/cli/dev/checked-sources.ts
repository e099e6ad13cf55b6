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
 * A program for Node's option `--import`, which runs before tsx. It makes Node.js load the sources that the parent
 * process sends as its first message instead of the files. What is loaded before them comes from files. Node.js before
 * 22.15 runs the hook in a separate thread. `sourcesArrived` resolves when modules are loaded from the sources.
 */
export const loadCheckedSources = `
  import module from "node:module";
  import { once } from "node:events";
  import { MessageChannel } from "node:worker_threads";
  const firstMessage = new Promise((resolve) => process.once("message", resolve));
  const loadFrom = (sources) => (url, context, next) => {
    const source = context.format === "module" ? sources()[url.split("?")[0]] : undefined;
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  };
  let sendSources;
  if (module.registerHooks !== undefined) {
    let sources = {};
    module.registerHooks({ load: loadFrom(() => sources) });
    sendSources = async (message) => void (sources = message);
  } else {
    const thread = \`let sources = {};
      export const initialize = (port) => port.on("message", (message) => {
        sources = message;
        port.postMessage("taken");
        port.close();
      });
      export const load = (\${loadFrom})(() => sources);\`;
    const { port1, port2 } = new MessageChannel();
    module.register("data:text/javascript," + encodeURIComponent(thread), { data: port2, transferList: [port2] });
    sendSources = (message) => {
      port1.postMessage(message);
      return once(port1, "message");
    };
  }
  export const sourcesArrived = firstMessage.then(sendSources);
`;
