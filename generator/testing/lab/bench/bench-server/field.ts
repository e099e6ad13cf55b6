import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LocalRedis } from "../../../../../templates/runtime/samples/local-redis.js";
import { packageRoot } from "../../../../text/package-root.js";
import { installShared } from "../../../harness/projects/installed-packages.js";
import { fieldClients, fieldTool, makeFieldProject } from "./field-project.js";
import type { ToolCall } from "./requests.js";
import type { Contestant } from "./turns.js";

const byHand = fileURLToPath(
  new URL("generator/testing/lab/bench/bench-server/by-hand/field/", packageRoot),
);

const dependencies = {
  "@modelcontextprotocol/node": "2.1.2",
  "@modelcontextprotocol/sdk": "1.32.2",
  "@modelcontextprotocol/server": "2.4.0",
  "@redis/client": "6.3.1",
  express: "5.2.1",
  undici: "7.30.2",
};

/** What the users of the shop ask for, in turn. */
const CALLS: readonly ToolCall[] = [
  { name: "search_products", arguments: { query: "blue shoes", limit: 5 } },
  { name: "get_user_cart", arguments: { user: "user-7" } },
  { name: "checkout", arguments: { user: "user-7", items: ["sku-1", "sku-2"] } },
];

/** How the handlers of the generated server ask the service. */
const CLIENT_NAMES = {
  upstreams: "ctx.upstreams",
  undici: "undici with the call's signal",
  fetch: "fetch with the call's signal",
} as const;

/** How many users call at the same time. */
export const FIELD_USERS = 50;

/** The servers by hand: their file, the client that asks the service, and the era of their clients. */
const BY_HAND = [
  {
    name: "bare node:http, undici without signal",
    file: "bare",
    client: "undici",
    era: "2026-07-28",
  },
  {
    name: "bare node:http, fetch without signal",
    file: "bare",
    client: "fetch",
    era: "2026-07-28",
  },
  { name: "SDK 2, fetch", file: "sdk-2", client: "fetch", era: "2026-07-28" },
  { name: "SDK 1, Express, fetch", file: "sdk-1", client: "fetch", era: "2025-11-25" },
] as const;

/**
 * The workload of a server in the field: three tools that ask Redis and a service over HTTP, for fifty users. The first
 * contestant is the generated server with `ctx.upstreams`.
 */
export class FieldServers {
  readonly #root: string;
  readonly #redis: LocalRedis;
  readonly #service: ChildProcess;
  readonly contestants: readonly Contestant[];

  private constructor(
    root: string,
    redis: LocalRedis,
    service: ChildProcess,
    contestants: readonly Contestant[],
  ) {
    this.#root = root;
    this.#redis = redis;
    this.#service = service;
    this.contestants = contestants;
  }

  static async create(): Promise<FieldServers> {
    const root = await mkdtemp(join(tmpdir(), "mcpwright-bench-field-"));
    const redis = await LocalRedis.start();
    await redis.send("LPUSH history:user-7 shoes hats bags coats belts");
    const service = fork(join(byHand, "service.mjs"));
    const [port] = (await once(service, "message")) as [number];
    const environment = { API: `http://127.0.0.1:${port}`, REDIS: redis.url };
    const generated = await makeFieldProject(root);
    const folder = await handWrittenServers(root);
    const contestants: Contestant[] = [
      ...fieldClients.map((client) => ({
        program: {
          name: `generated, ${CLIENT_NAMES[client]}`,
          ...{ folder: generated, path: "dist/src/main.js", flags: ["--http"], environment },
        },
        calls: CALLS.map((call) => ({ ...call, name: fieldTool(call.name, client) })),
      })),
      // A line of the log for each request, which the other servers do not write.
      {
        program: {
          name: "generated, ctx.upstreams, log on",
          ...{ folder: generated, path: "dist/src/main.js", flags: ["--http"] },
          environment: { ...environment, LOG_LEVEL: "info" },
          isSilent: true,
        },
        calls: CALLS.map((call) => ({ ...call, name: fieldTool(call.name, "upstreams") })),
      },
      ...BY_HAND.map(({ name, file, client, era }) => ({
        program: {
          ...{ name, folder, path: `${file}.mjs`, flags: [] },
          environment: { ...environment, HTTP_CLIENT: client },
        },
        calls: CALLS,
        era,
      })),
    ];
    return new FieldServers(root, redis, service, contestants);
  }

  async remove(): Promise<void> {
    const ended = once(this.#service, "exit");
    this.#service.kill("SIGKILL");
    await ended;
    await this.#redis.stop();
    await rm(this.#root, { recursive: true, force: true });
  }
}

async function handWrittenServers(root: string): Promise<string> {
  const folder = join(root, "by-hand");
  await cp(byHand, folder, { recursive: true });
  const manifest = { type: "module", dependencies, devDependencies: {} };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await installShared(folder);
  return folder;
}
