import { connect } from "node:net";
import { modernRequest, sendRaw, type RawAnswer } from "../suite/clients/http.js";

/** Headers of a raw request for the list of tools. */
export const jsonHeaders = [
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
  "MCP-Protocol-Version: 2026-07-28",
  "Mcp-Method: tools/list",
];

/** Sends requests to a server, also those that no client of HTTP would send. */
export class RawClient {
  readonly #url: string;
  readonly #port: string;

  constructor(url: string) {
    this.#url = url;
    this.#port = new URL(url).port;
  }

  /** Makes a request that calls `greet`, with parts of it replaced. An empty text removes a header. */
  async greet(
    headers: Record<string, string> = {},
    body?: string | Buffer,
    method = "POST",
  ): Promise<RawAnswer> {
    const call = modernRequest(this.#url, "tools/call", {
      name: "greet",
      arguments: { who: "Ada" },
    });
    const merged = new Headers(call.headers);
    for (const [name, value] of Object.entries(headers)) {
      if (value === "") merged.delete(name);
      else merged.set(name, value);
    }
    const hasBody = method === "POST" || method === "PUT";
    return sendRaw(
      new Request(this.#url, {
        method,
        headers: merged,
        ...(hasBody ? { body: body ?? (await call.text()) } : {}),
      }),
    );
  }

  /** Sends bytes unchanged. Returns everything that is received until the connection closes. */
  sendBytes(...pieces: (string | Buffer)[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(this.#port), "127.0.0.1");
      let received = "";
      socket.on("data", (data: Buffer) => (received += data.toString()));
      socket.on("close", () => resolve(received));
      socket.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close the connection while the client is still sending.
        if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
      });
      for (const piece of pieces) socket.write(piece);
    });
  }

  /** Makes the request line and headers of a raw request. */
  head(line: string, ...headers: string[]): string {
    const host = `Host: 127.0.0.1:${this.#port}`;
    return [line, host, "Connection: close", ...headers, "", ""].join("\r\n");
  }
}

/** The status of a raw answer. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
