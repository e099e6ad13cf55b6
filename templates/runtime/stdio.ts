import { once } from "node:events";
import { Readable, type Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { RequestId } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { serveConnection, writeMs } from "./connection.js";
import { Pending } from "./pending.js";
import { drainMs, type ServeStdio } from "./transport.js";

/** Serves one client on stdin and the given output. */
export const serveStdio: ServeStdio = (server, output, onEnd) => {
  const unanswered = new Pending<RequestId>();
  const input = Readable.from(untilAnswered(process.stdin, unanswered));
  const transport = new StdioServerTransport(input, output);
  const connection = serveConnection(server, transport, "stdio", unanswered);
  const closeConnection = transport.onclose;
  transport.onclose = () => {
    closeConnection?.();
    onEnd();
  };
  return {
    close: async () => {
      await server.drain(drainMs);
      await unanswered.doneWithin(writeMs);
      await connection.close();
      await flush(output);
    },
  };
};

/**
 * What stdin holds, and then nothing until every request is answered: the SDK aborts what runs as
 * soon as its input ends.
 */
async function* untilAnswered(
  stdin: Readable,
  unanswered: Pending<RequestId>,
): AsyncGenerator<Buffer> {
  yield* stdin as AsyncIterable<Buffer>;
  await unanswered.doneWithin(drainMs);
}

/** Resolves when all that was written has left the process, or the client takes no more of it. */
async function flush(output: Writable): Promise<void> {
  if (output.destroyed) return;
  const closed = once(output, "close").catch(() => undefined);
  output.end();
  await Promise.race([closed, delay(writeMs)]);
}
