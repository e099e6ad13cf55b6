import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalRedis } from "../../../../../templates/runtime/samples/local-redis.js";
import { buildServer } from "./built-server.js";
import { loadHttp } from "./load.js";
import { BenchRequest } from "./requests.js";
import { ServerProcess } from "./server-process.js";
import type { Contestant } from "./turns.js";

/** What the servers share through Redis, beside one that shares nothing. */
const SETTINGS: Readonly<Record<string, string>> = {
  "no scale": "",
  "without Redis": "scale: { redis: { env: REDIS_URL } }\n",
  "events, switches": "scale: { redis: { env: REDIS_URL }, share: [events, switches] }\n",
  everything: "scale: { redis: { env: REDIS_URL } }\n",
};

const manifestOf = (settings: string): string => `manifestVersion: 1
name: scale
version: 1.0.0
limits: { ratePerSecond: 1000000 }
transports: [{ type: http }]
env:
  REDIS_URL: { secret: true, description: Redis }
${settings}tools:
  - name: greet
    description: Greets a person.
    enabled: true
    inputSchema:
      type: object
      properties: { who: { type: string, description: Name } }
      required: [who]
      additionalProperties: false
    content: [{ type: text, text: "Hello, {{who}}!" }]
`;

const CALL = { name: "greet", arguments: { who: "Ada" } };

/** What replicas do together. */
export interface Throughput {
  readonly replicas: number;
  readonly callsPerSecond: number;
  /** CPU time of all replicas for one call, in microseconds. */
  readonly micros: number;
}

/** Servers that differ only in their shared state, with a real Redis, built in separate folders. */
export class ScaleServers {
  readonly #root: string;
  readonly #redis: LocalRedis;
  readonly contestants: readonly Contestant[];

  private constructor(root: string, redis: LocalRedis, contestants: readonly Contestant[]) {
    this.#root = root;
    this.#redis = redis;
    this.contestants = contestants;
  }

  static async create(): Promise<ScaleServers> {
    const root = await mkdtemp(join(tmpdir(), "mcpwright-bench-scale-"));
    const redis = await LocalRedis.start();
    const contestants: Contestant[] = [];
    for (const [name, settings] of Object.entries(SETTINGS)) {
      const folder = join(root, name.replaceAll(/\W+/g, "-"));
      await buildServer(folder, { "mcp.yaml": manifestOf(settings) });
      const environment = {
        REQUEST_STATE_KEY: "k".repeat(64),
        ...(name !== "without Redis" && { REDIS_URL: redis.url }),
      };
      const program = { name, folder, path: "dist/src/main.js", flags: ["--http"], environment };
      contestants.push({ program, calls: [CALL] });
    }
    return new ScaleServers(root, redis, contestants);
  }

  /** Measures the throughput of a number of replicas that share everything, each called over a number of connections. */
  async throughput(replicas: number, connections: number, calls: number): Promise<Throughput> {
    const { program } = this.contestants.at(-1)!;
    const servers = await Promise.all(
      Array.from({ length: replicas }, () => ServerProcess.run(program, "http")),
    );
    const request = new BenchRequest("tools/call", "2026-07-28", CALL);
    const ask = (count: number): Promise<unknown> =>
      Promise.all(servers.map(({ port }) => loadHttp(port, [request], connections, count)));
    const usage = async (): Promise<number> => {
      const all = await Promise.all(servers.map((server) => server.usage()));
      return all.reduce((sum, { cpu }) => sum + cpu, 0);
    };
    try {
      await ask(2_000);
      const [cpu, start] = [await usage(), performance.now()];
      await ask(Math.ceil(calls / replicas));
      const seconds = (performance.now() - start) / 1_000;
      const micros = ((await usage()) - cpu) / calls;
      return { replicas, callsPerSecond: calls / seconds, micros };
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  }

  async remove(): Promise<void> {
    await this.#redis.stop();
    await rm(this.#root, { recursive: true, force: true });
  }
}
