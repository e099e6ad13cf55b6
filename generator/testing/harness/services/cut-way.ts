import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A way to a server on loopback, which a test can cut: all connections break, and there are no new ones. */
export class CutWay {
  /** The server's address, by this way. */
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(url: string, server: Server, sockets: Set<Socket>) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
  }

  static async to(url: string): Promise<CutWay> {
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      const far = connect(Number(new URL(url).port), "127.0.0.1");
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const near = new URL(url);
    near.port = String((server.address() as AddressInfo).port);
    return new CutWay(near.href, server, sockets);
  }

  cut(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
