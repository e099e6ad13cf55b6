import { rm } from "node:fs/promises";
import { StreamableHTTPClientTransport, type Client } from "@modelcontextprotocol/client";
import { LocalRedis } from "../../../../../templates/runtime/samples/local-redis.js";
import { connectClient } from "../../../harness/clients/every-method.js";
import {
  startHttp,
  type Era,
  type StartedServer,
} from "../../../harness/clients/project-clients.js";
import { Balancer, type BalancerOptions } from "./balancer.js";
import { buildReplicatedProject } from "./project.js";

/** Replicas of one generated server with a real Redis, and their clients. */
export class Replicas {
  readonly redis: LocalRedis;
  readonly #folder: string;
  readonly #servers: StartedServer[] = [];
  /** Balancers, clients and whatever else uses the replicas. */
  readonly #open: { close(): unknown }[] = [];

  private constructor(folder: string, redis: LocalRedis) {
    this.#folder = folder;
    this.redis = redis;
  }

  /** Builds the project and starts Redis. */
  static async create(): Promise<Replicas> {
    const folder = await buildReplicatedProject();
    return new Replicas(folder, await LocalRedis.start());
  }

  /** @param env replaces variables of the usual environment */
  async start(env: Readonly<Record<string, string>> = {}): Promise<StartedServer> {
    const replica = await startHttp(this.#folder, {
      REDIS_URL: this.redis.url,
      REQUEST_STATE_KEY: "k".repeat(64),
      ...env,
    });
    this.#servers.push(replica);
    return replica;
  }

  async startBehind(
    count: number,
    options?: BalancerOptions,
    env?: Readonly<Record<string, string>>,
  ): Promise<{ readonly replicas: StartedServer[]; readonly balancer: Balancer }> {
    const replicas = await Promise.all(Array.from({ length: count }, () => this.start(env)));
    return { replicas, balancer: await this.balance(replicas, options) };
  }

  /** Starts a balancer before replicas. */
  async balance(replicas: readonly StartedServer[], options?: BalancerOptions): Promise<Balancer> {
    const urls = replicas.map(({ url }) => url);
    const balancer = await Balancer.before(urls, options);
    return this.opened(balancer, () => balancer.close());
  }

  /** Connects the official client. */
  async connect(url: string, era: Era, principal: string): Promise<Client> {
    const requestInit = { headers: { authorization: `Bearer ${principal}` } };
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
    const client = await connectClient(transport, era);
    return this.opened(client, () => client.close());
  }

  /** Adds a resource that {@link closeClients} and {@link closeAll} close. */
  opened<Opened>(opened: Opened, close: () => unknown): Opened {
    this.#open.push({ close });
    return opened;
  }

  /** Ends all replicas, balancers and clients, the last first, and empties Redis, where they may have left a switch. */
  async closeAll(): Promise<void> {
    await this.#close();
    await this.redis.stop();
    await this.redis.startAgain();
  }

  /** Ends all balancers and clients, the last first. The replicas go on. */
  async closeClients(): Promise<void> {
    for (const one of this.#open.splice(0).reverse()) await one.close();
  }

  async #close(): Promise<void> {
    await this.closeClients();
    for (const server of this.#servers.splice(0).reverse()) await server.kill();
  }

  /** Ends Redis too, and removes the project. */
  async end(): Promise<void> {
    await this.#close();
    await this.redis.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The text of a tool's answer. */
export async function textOf(client: Client, name: string, values: object = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...values } });
  const [block] = content;
  return block?.type === "text" ? block.text : "";
}

/** The notifications to a client, by their methods. */
export function notificationsOf(client: Client): string[] {
  const methods: string[] = [];
  for (const method of [LISTED, UPDATED] as const) {
    client.setNotificationHandler(method, () => void methods.push(method));
  }
  return methods;
}

export const UPDATED = "notifications/resources/updated";
export const LISTED = "notifications/tools/list_changed";

/** What both eras have, whichever replica answers. @throws Error for an answer that is not right */
export async function useEverything(client: Client): Promise<void> {
  const answers = [
    await textOf(client, "ask"),
    (await client.readResource({ uri: "demo://state" })).contents.length,
    (await client.getPrompt({ name: "plan", arguments: { city: "Paris" } })).messages.length,
    await client
      .complete({
        ref: { type: "ref/prompt", name: "plan" },
        argument: { name: "city", value: "Pi" },
      })
      .then(({ completion }) => completion.values.join()),
    (await client.listResources()).resources.length,
  ];
  const found = answers.join(" ").replace(/^\d+ /, "");
  if (found !== "Ada 1 1 Pisa 1") throw new Error(`wrong answers: ${found}`);
}
