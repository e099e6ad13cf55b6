import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/**
 * Stands between a client and a server on loopback, and cuts a connection in the middle of what the
 * server sends: behind the first byte of each text that {@link cutAt} names, in their order.
 */
export class CuttingProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #open = new Set<Socket>();
  readonly #cuts: string[] = [];
  /** All that clients sent. */
  sent = "";

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  /** A proxy before the server at a URL. */
  static async before(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(url));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** Where the server is reached through the proxy. */
  get url(): URL {
    const url = new URL(this.#target);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url;
  }

  /** How many cuts are still to be made. */
  get cutsLeft(): number {
    return this.#cuts.length;
  }

  cutAt(...texts: readonly string[]): void {
    this.#cuts.push(...texts);
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }

  #accept(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname);
    for (const socket of [client, server]) {
      this.#open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#open.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on("data", (piece: Buffer) => {
      this.sent += piece.toString("latin1");
      server.write(piece);
    });
    let received = "";
    server.on("data", (piece: Buffer) => {
      const passed = received.length;
      received += piece.toString("latin1");
      const [text] = this.#cuts;
      // The text before this chunk has been passed on already.
      const at =
        text === undefined ? -1 : received.indexOf(text, Math.max(0, passed - text.length));
      if (at === -1) return void client.write(piece);
      this.#cuts.shift();
      client.end(piece.subarray(0, Math.max(0, at + 1 - passed)), () => server.destroy());
    });
  }
}
