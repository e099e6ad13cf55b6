import { once } from "node:events";
import {
  Agent,
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** How a balancer chooses the replica of a request. */
export interface BalancerOptions {
  /** Whether requests with the same `Mcp-Session-Id` go to the same replica, while that is there. */
  readonly keepsSessions?: boolean;
  /** Whether replicas whose `/readyz` does not answer 200 are sent nothing; it is asked every 100 ms. */
  readonly obeysReadiness?: boolean;
}

/** How often replicas are asked whether they are ready, in milliseconds. */
const askingMs = 100;

/** A load balancer on loopback: each request goes to the next replica. */
export class Balancer {
  readonly #server: Server;
  readonly #options: BalancerOptions;
  readonly #replicas: string[] = [];
  readonly #unready = new Set<string>();
  readonly #replicaOfSession = new Map<string, string>();
  readonly #asking: NodeJS.Timeout | undefined;
  /** Connections stay open for later requests, but idle not for as long as the replicas would leave them open. */
  readonly #agent = new Agent({ keepAlive: true, timeout: 1_000 });
  #next = 0;

  private constructor(options: BalancerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#pass(request, response));
    if (options.obeysReadiness) {
      this.#asking = setInterval(() => void this.#askAll(), askingMs);
    }
  }

  /** @param replicas URLs of their endpoints */
  static async before(
    replicas: readonly string[],
    options: BalancerOptions = {},
  ): Promise<Balancer> {
    const balancer = new Balancer(options);
    balancer.#replicas.push(...replicas);
    balancer.#server.listen(0, "127.0.0.1");
    await once(balancer.#server, "listening");
    return balancer;
  }

  /** Where the endpoint of all replicas is reached. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  add(replica: string): void {
    this.#replicas.push(replica);
  }

  remove(replica: string): void {
    this.#replicas.splice(this.#replicas.indexOf(replica), 1);
  }

  close(): void {
    clearInterval(this.#asking);
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #choose(session: string | undefined): string | undefined {
    const kept = session === undefined ? undefined : this.#replicaOfSession.get(session);
    if (kept !== undefined && this.#replicas.includes(kept)) return kept;
    const usable = this.#replicas.filter((replica) => !this.#unready.has(replica));
    return usable[this.#next++ % usable.length];
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = "/", headers } = request;
    const session = this.#options.keepsSessions
      ? (headers["mcp-session-id"] as string | undefined)
      : undefined;
    const replica = this.#choose(session);
    if (replica === undefined) return void response.writeHead(502).end();
    const passed = send(
      new URL(url, replica),
      { method, headers, agent: this.#agent },
      (answer) => {
        const opened = answer.headers["mcp-session-id"];
        if (typeof opened === "string") this.#replicaOfSession.set(opened, replica);
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
        answer.on("error", () => response.destroy());
      },
    );
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  }

  async #askAll(): Promise<void> {
    await Promise.all(
      this.#replicas.map(async (replica) => {
        const isReady = await fetch(new URL("/readyz", replica)).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) this.#unready.delete(replica);
        else this.#unready.add(replica);
      }),
    );
  }
}
