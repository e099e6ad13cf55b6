import type { ServerDefinition } from "../engine/definition.js";
import type { HttpDefinition } from "../http/definition.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import type { RunningHttp } from "../http/transport.js";
import { createLog } from "../observe/log.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import { closeAll } from "../suite/clients/harness.js";
import { sampleServer } from "./server.js";
import { until } from "./until.js";

const endpoint = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;

/** Servers of a test that listen for HTTP. Each is the sample server, but for the parts that the test states. */
export class HttpServers {
  /** The lines that the servers have logged. */
  readonly lines: string[] = [];
  readonly #running: RunningHttp[] = [];

  async start(
    parts: Partial<ServerDefinition> = {},
    endpointParts: Partial<HttpDefinition> = {},
    logRequests = false,
  ): Promise<{ http: RunningHttp; server: RunningServer }> {
    const log = createLog({ write: (line) => void this.lines.push(line) });
    const server = createServer(
      { ...sampleServer, ...parts },
      { root: process.cwd(), log, logRequests },
    );
    const http = await listen(server, [httpEndpoint(server, { ...endpoint, ...endpointParts })]);
    this.#running.push(http);
    return { http, server };
  }

  /** The number of calls of the tool `sleep` that have begun. */
  get begunSleeps(): number {
    return this.lines.filter((line) => line.includes('"sleeping"')).length;
  }

  /** Resolves when this number of further calls of the tool `sleep` are running. */
  callsAsleep(count: number): Promise<void> {
    const wanted = this.begunSleeps + count;
    return until(() => this.begunSleeps >= wanted);
  }

  /** Closes the servers, and the clients of the test. */
  async close(): Promise<void> {
    await closeAll();
    await Promise.all(this.#running.map((http) => http.close()));
  }
}
