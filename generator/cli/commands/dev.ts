import { dirname, join, basename, resolve } from "node:path";
import { manifestPath, realFolder } from "../compile-manifest.js";
import { DevReporter } from "../dev/dev-reporter.js";
import { DevSession } from "../dev/session.js";
import { StdioBridge } from "../dev/stdio-bridge.js";
import type { WatchedPaths } from "../dev/watched-files.js";
import type { Command, CommandContext } from "../command.js";
import { statusAfter, takeSignals } from "../signals.js";

/** `mcpwright dev`: regenerates the project and restarts its server after each change, until Ctrl-C. */
export const dev: Command = async (context) => {
  const session = new DevSession(
    pathsOf(context),
    new DevReporter(context),
    context.invocation.passedOn,
    (onEnd) => new StdioBridge(process.stdin, process.stdout, onEnd),
  );
  endOnSignals(session);
  return session.run();
};

function pathsOf(context: CommandContext): WatchedPaths {
  const path = manifestPath(context);
  const manifest = join(realFolder(dirname(path)), basename(path));
  const out = context.invocation.values.get("out");
  return { manifest, outDir: out === undefined ? dirname(manifest) : resolve(context.folder, out) };
}

/** The first signal lets the server finish its calls, and the second kills it. Then the process ends. */
function endOnSignals(session: DevSession): void {
  let isEnding = false;
  takeSignals((signal) => {
    if (isEnding) {
      session.kill();
      process.exit(statusAfter(signal));
    }
    isEnding = true;
    void session.end().then(() => process.exit(statusAfter(signal)));
  });
}
