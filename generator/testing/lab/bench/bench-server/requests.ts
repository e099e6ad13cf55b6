import type { Era, Method } from "./options.js";

const protocol = "io.modelcontextprotocol/";

const parametersOf: Readonly<Record<Method, object>> = {
  "tools/call": { name: "tool_0", arguments: { city: "Berlin", days: 3 } },
  "tools/list": {},
  "resources/read": { uri: "bench://help" },
  "prompts/get": { name: "plan_trip", arguments: { city: "Berlin" } },
};

const nameOf: Partial<Readonly<Record<Method, string>>> = {
  "tools/call": "tool_0",
  "resources/read": "bench://help",
  "prompts/get": "plan_trip",
};

/** What a tool is called with. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

/** One request, as each transport carries it. */
export class BenchRequest {
  readonly #method: Method;
  readonly #era: Era;
  readonly #name: string | undefined;
  readonly #parameters: object;
  /** The text before the id, and after it. */
  readonly #head: string;
  readonly #tail: string;

  /** @param call Of `tools/call`: what is called, where it is not the first tool. */
  constructor(method: Method, era: Era, call?: ToolCall) {
    this.#method = method;
    this.#era = era;
    this.#name = call?.name ?? nameOf[method];
    this.#parameters = call ?? parametersOf[method];
    [this.#head = "", this.#tail = ""] = this.#json().split("#");
  }

  /** @param token What the request shows of itself, where it has to. */
  httpBytes(port: number, token?: string): Buffer {
    const body = `${this.#head}1${this.#tail}`;
    const modern = [
      `Mcp-Method: ${this.#method}`,
      ...(this.#name === undefined ? [] : [`Mcp-Name: ${this.#name}`]),
    ];
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      `MCP-Protocol-Version: ${this.#era}`,
      ...(this.#isModern ? modern : []),
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
  }

  /** @param id Of requests under way at the same time, each has its own. */
  stdioLine(id = 1): string {
    return `${this.#head}${id}${this.#tail}\n`;
  }

  get #isModern(): boolean {
    return this.#era === "2026-07-28";
  }

  #json(): string {
    const envelope = {
      [`${protocol}protocolVersion`]: this.#era,
      [`${protocol}clientInfo`]: { name: "bench", version: "1.0.0" },
      [`${protocol}clientCapabilities`]: {},
    };
    const params = {
      ...this.#parameters,
      ...(this.#isModern ? { _meta: envelope } : {}),
    };
    const rest = JSON.stringify({ method: this.#method, params });
    return `{"jsonrpc":"2.0","id":#,${rest.slice(1)}`;
  }
}

/** What a client of the older eras says first on stdio. */
export const handshake: readonly string[] = [
  {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1.0.0" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
].map((message) => `${JSON.stringify(message)}\n`);
