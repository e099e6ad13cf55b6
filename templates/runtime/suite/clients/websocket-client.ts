import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { WebSocket } from "ws";

/** A client transport for WebSocket, which the SDK does not have. */
export class WebSocketClientTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #url: string;
  readonly #authority: string | undefined;
  #socket: WebSocket | undefined;

  /** @param authority The certificate to trust, in PEM, if the URL is `wss:`. */
  constructor(url: string, authority?: string) {
    this.#url = url.replace(/^http/, "ws");
    this.#authority = authority;
  }

  async start(): Promise<void> {
    const options = {
      // The SDK's client loses notifications that arrive together with the answer after them.
      allowSynchronousEvents: false,
      ...(this.#authority === undefined ? {} : { ca: this.#authority }),
    };
    const socket = new WebSocket(this.#url, "mcp", options);
    this.#socket = socket;
    await new Promise<void>((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.once("error", reject);
    });
    socket.on("error", (error) => this.onerror?.(error));
    socket.on("close", () => this.onclose?.());
    socket.on("message", (data: Buffer) => {
      this.onmessage?.(JSON.parse(data.toString("utf8")) as JSONRPCMessage);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket?.send(JSON.stringify(message), (error) => {
        if (error == null) resolve();
        else reject(error);
      });
    });
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.close();
    await closed;
  }
}
