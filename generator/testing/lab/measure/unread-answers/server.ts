import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

/** A running server of the project, and the upstream that it asks. */
export interface UnreadServer {
  readonly port: number;
  readonly child: ChildProcess;
  /** The most memory that the process has had, in bytes. */
  peakBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the project. @param node the program `node` */
export async function startUnreadServer(folder: string, node: string): Promise<UnreadServer> {
  const upstream = await startUpstream();
  const { port: upstreamPort } = upstream.address() as AddressInfo;
  const flags = ["--http", "--sse", "--websocket", "--port", "0"];
  const child = spawn(node, ["dist/src/main.js", ...flags], {
    cwd: folder,
    env: { ...process.env, UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines = createInterface({ input: child.stderr });
  const early: string[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    lines.on("line", (line) => {
      early.push(line);
      const found = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once("exit", () => reject(new Error(early.join("\n"))));
  });
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
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
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
