import type { Writable } from "node:stream";
import type { ChosenTransports, TransportGroup } from "../start/transport.js";
import { claimStdout } from "./stdout.js";

/** Serves one client on stdin and stdout. The code for that is imported only if stdio is served. */
export function serveStdio(): TransportGroup {
  return {
    choose: (_declared, chosen) => (chosen.has("stdio") ? startOf(chosen.size === 1) : undefined),
  };
}

/** @param isOnly Whether the process serves nothing else, so that it ends when stdin ends. */
function startOf(isOnly: boolean): ChosenTransports {
  let output: Writable;
  return {
    prepare: () => void (output = claimStdout()),
    start: async (server, { add, stop }) => {
      const { serveStdioClient } = await import("./stdio.js");
      const onEnd = (): void => {
        if (isOnly) stop("stdin ended");
      };
      add(serveStdioClient(server, output, onEnd));
      server.log.info("serving", { transport: "stdio" });
    },
  };
}
