import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A way between the replicas and Redis that a test can make slow or cut, in one direction or both. */
export class RedisProxy {
  /** The delay of everything that passes, in milliseconds. */
  delayMs = 0;
  /** What the replicas send is lost. Connections stay open. */
  losesCommands = false;
  /** What Redis sends is lost. Connections stay open. */
  losesAnswers = false;
  readonly #port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number) {
    this.#port = port;
    this.#server = createServer((socket) => this.#join(socket));
  }

  /** @param port of Redis, on this machine */
  static async before(port: number): Promise<RedisProxy> {
    const proxy = new RedisProxy(port);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** Where replicas find Redis. */
  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Breaks all connections; new ones can be made. */
  interrupt(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.interrupt();
    this.#server.close();
  }

  #join(replica: Socket): void {
    const redis = connect(this.#port, "127.0.0.1");
    for (const socket of [replica, redis]) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        replica.destroy();
        redis.destroy();
      });
    }
    void this.#pass(replica, redis, () => this.losesCommands);
    void this.#pass(redis, replica, () => this.losesAnswers);
  }

  async #pass(from: Socket, to: Socket, isLost: () => boolean): Promise<void> {
    let arrival: Promise<void> | undefined;
    from.on("data", (chunk) => {
      const before = arrival;
      const wait = this.delayMs;
      if (isLost()) return;
      arrival = Promise.all([before, wait === 0 ? undefined : delay(wait)]).then(() => {
        if (!to.destroyed) to.write(chunk);
      });
    });
  }
}
