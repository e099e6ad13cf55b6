import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import {
  ReadBuffer,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";

/** A client's side of the Unix-domain socket. */
export class SocketClientTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #path: string;
  readonly #received = new ReadBuffer();
  #socket: Socket | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async start(): Promise<void> {
    const socket = createConnection(this.#path);
    this.#socket = socket;
    await once(socket, "connect");
    socket.on("error", (error) => this.onerror?.(error));
    socket.on("close", () => this.onclose?.());
    socket.on("data", (chunk: Buffer) => {
      this.#received.append(chunk);
      let message: JSONRPCMessage | null;
      while ((message = this.#received.readMessage()) !== null) this.onmessage?.(message);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket?.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#socket?.end();
  }
}
