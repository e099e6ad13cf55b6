import { dirname, join, basename, resolve } from "node:path";
import { realFolder } from "../compile-manifest.js";
import { DevReporter } from "../dev/dev-reporter.js";
import { DevSession, type SessionPlaces } from "../dev/session.js";
import { StdioBridge } from "../dev/stdio-bridge.js";
import type { Command, CommandContext } from "../command.js";
import { statusAfter, takeSignals } from "../signals.js";

/** `mcpwright dev`: the project and its server follow the manifest and the handlers, until Ctrl-C. */
export const dev: Command = async (context) => {
  const session = new DevSession(
    placesOf(context),
    new DevReporter(context),
    context.invocation.passedOn,
    (onEnd) => new StdioBridge(process.stdin, process.stdout, onEnd),
  );
  endOnSignals(session);
  return session.run();
};

function placesOf({ invocation, folder }: CommandContext): SessionPlaces {
  const path = resolve(folder, invocation.positionals[0] ?? "mcp.yaml");
  const manifest = join(realFolder(dirname(path)), basename(path));
  const out = invocation.values.get("out");
  return { manifest, outDir: out === undefined ? dirname(manifest) : resolve(folder, out) };
}

/** The first signal ends the server in good order, the second at once. Nothing is waited for but the server. */
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
