import { Writable } from "node:stream";
import type { ChosenTransports, TransportGroup } from "../start/transport.js";

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

/**
 * Reserves stdout for the protocol. From now on, text that other code writes to `process.stdout` goes to
 * stderr, and only the returned stream writes to stdout. Call it once.
 */
function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => void write(chunk, done),
  });
  // The SDK adds a listener for each message that the client has not read yet.
  output.setMaxListeners(0);
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
