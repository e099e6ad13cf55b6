import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** The message of Postgres that no transaction is open. */
const IDLE = Buffer.from("Z\0\0\0\x05I");

/**
 * A server on a free port that passes connections on to the server of a URL, and counts round trips and the bytes of the
 * answers.
 */
export class Relay {
  readonly url: string;
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  #isSilentOnceIdle = false;
  bytes = 0;
  /** How often clients have sent something after an answer. */
  roundTrips = 0;

  private constructor(url: string, listener: Server) {
    this.url = url;
    this.#listener = listener;
  }

  /** @param url a URL of a server on this machine; `url` of the relay is the same with another port */
  static async open(url: string): Promise<Relay> {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const here = new URL(url);
    const port = Number(here.port);
    here.port = String((listener.address() as AddressInfo).port);
    const relay = new Relay(here.href, listener);
    listener.on("connection", (client: Socket) => relay.#pass(client, connect(port, "127.0.0.1")));
    return relay;
  }

  /** Passes nothing on any more over the connections that are open now, which stay open. */
  fallSilent(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /**
   * Passes nothing on any more over a connection to Postgres as soon as the database waits for its next transaction,
   * which is after its login first.
   */
  fallSilentOnceIdle(isSilent = true): void {
    this.#isSilentOnceIdle = isSilent;
  }

  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Accepts no more connections. Those that are open now go on. */
  refuse(): void {
    this.#listener.close();
  }

  async close(): Promise<void> {
    this.refuse();
    this.breakConnections();
  }

  #pass(client: Socket, server: Socket): void {
    let isAnswered = true;
    client.on("data", () => {
      if (isAnswered) this.roundTrips++;
      isAnswered = false;
    });
    server.on("data", (bytes: Buffer) => {
      this.bytes += bytes.length;
      isAnswered = true;
      if (!this.#isSilentOnceIdle || !bytes.includes(IDLE)) return;
      setImmediate(() => [client, server].forEach((socket) => socket.unpipe().pause()));
    });
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => [client, server].forEach((each) => each.destroy()));
    }
  }
}
