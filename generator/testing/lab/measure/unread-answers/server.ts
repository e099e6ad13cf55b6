import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DemoServer } from "../../../scenarios/attacks/hostile-requests/demo-server.js";

/** A running server of the project, and the upstream that it asks. */
export interface UnreadServer extends Pick<DemoServer, "port" | "child"> {
  /** The most memory that the process has had, in bytes. */
  peakBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the project. @param node the program `node` @param more variables of the environment */
export async function startUnreadServer(
  folder: string,
  node: string,
  more: Readonly<Record<string, string>> = {},
): Promise<UnreadServer> {
  const upstream = await startUpstream();
  const { port: upstreamPort } = upstream.address() as AddressInfo;
  const env = { UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}`, ...more };
  const server = await DemoServer.start(folder, ["--sse", "--websocket"], { env, node });
  const { port, child } = server;
  return {
    port,
    child,
    peakBytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    },
    stop: async () => {
      upstream.closeAllConnections();
      upstream.close();
      child.kill("SIGKILL");
      await server.stop();
    },
  };
}

/** Answers `/text/<length>` with a text of that length. */
async function startUpstream(): Promise<Server> {
  const upstream = createServer((request, response) => {
    const length = Number(request.url?.split("/").at(-1));
    response.writeHead(200, { "content-type": "text/plain", "content-length": length });
    response.end(Buffer.alloc(length, "x"));
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  return upstream;
}
