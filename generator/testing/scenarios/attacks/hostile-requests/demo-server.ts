import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { until } from "../../../../../templates/runtime/samples/until.js";

export const SECRET = "s3cret-api-key";

/** One answer over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The JSON-RPC message, where the body or the last event is one. */
  readonly message: {
    readonly result?: Readonly<Record<string, unknown>>;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };
}

type Parameters = Readonly<Record<string, unknown>>;

/** Changes to a right request: a header that is undefined is left out. */
export interface Changes {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Buffer;
  /** The sender's address; else each request comes from another one, so that no rate is reached. */
  readonly localAddress?: string;
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The body of a right request of protocol 2026-07-28. */
export function requestBody(method: string, params: Parameters = {}, id = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } });
}

/** How the process of a demo server is started. */
export interface DemoSettings {
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: string;
}

/** A server of the demo project, and senders of requests right and wrong. */
export abstract class DemoClient {
  /** All answers, which are searched for text that no answer may contain. */
  readonly answers: string[] = [];
  readonly logLines: string[] = [];

  /** Sends an HTTP request unchanged. Its promise may be awaited later. */
  abstract request(changes: Changes): Promise<Answer>;

  /** Sends a request of protocol 2026-07-28 that is right but for the changes. */
  send(method: string, params: Parameters = {}, changes: Changes = {}): Promise<Answer> {
    const name = params["name"] ?? params["uri"];
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": /^[!-~]{1,100}$/.test(method) ? method : undefined,
      "mcp-name": typeof name === "string" && /^[!-~]{1,3000}$/.test(name) ? name : undefined,
      ...changes.headers,
    };
    const body = changes.body ?? requestBody(method, params);
    return this.request({ ...changes, headers, body });
  }

  /** Calls a tool. */
  call(name: string, args: unknown, changes: Changes = {}): Promise<Answer> {
    return this.send("tools/call", { name, arguments: args }, changes);
  }

  /** Resolves when this number of lines of the log, from a line on, contain a text. */
  async untilLogged(text: string, count = 1, from = 0): Promise<void> {
    await until(
      () => this.logLines.slice(from).filter((line) => line.includes(text)).length >= count,
    );
  }
}

/** A running server of the demo project, which listens. */
export class DemoServer extends DemoClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  #clients = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
  ) {
    super();
  }

  /** @param settings variables of its environment, and the program `node` if it is another one */
  static async start(
    folder: string,
    flags: readonly string[] = [],
    settings: DemoSettings = {},
  ): Promise<DemoServer> {
    const child = spawnDemo(folder, ["--http", "--port", "0", ...flags], settings);
    child.stdout?.resume();
    const lines = createInterface({ input: child.stderr! });
    const early: string[] = [];
    const port = await new Promise<number>((resolve, reject) => {
      const read = (line: string): void => {
        early.push(line);
        const found = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
        if (found === undefined) return;
        lines.off("line", read);
        resolve(Number(found));
      };
      lines.on("line", read);
      child.once("exit", () => reject(new Error(early.join("\n"))));
    });
    const server = new DemoServer(child, port);
    server.logLines.push(...early);
    lines.on("line", (line) => server.logLines.push(line));
    return server;
  }

  /** Sends an HTTP request unchanged. Its promise may be awaited later. */
  request(changes: Changes): Promise<Answer> {
    return awaitedLater(this.#request(changes));
  }

  #request(changes: Changes): Promise<Answer> {
    const { method = "POST", path = "/mcp", headers = {}, body } = changes;
    const { localAddress = `127.0.1.${1 + (this.#clients++ % 100)}` } = changes;
    return new Promise((resolve, reject) => {
      const sent = Object.fromEntries(
        Object.entries(headers).filter(([, value]) => value !== undefined),
      ) as Record<string, string | string[]>;
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const address = { port: this.port, host: "127.0.0.1", localAddress };
      const request = httpRequest(
        { ...address, method, path, agent: this.#agent, headers: { ...length, ...sent } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            this.answers.push(text);
            const { statusCode = 0, headers } = response;
            resolve({ status: statusCode, headers, text, message: messageOf(text) });
          });
        },
      );
      // The server may have closed a connection in the moment in which it is used again.
      request.on("error", (error) => {
        if (request.reusedSocket) this.#request(changes).then(resolve, reject);
        else reject(error);
      });
      request.end(body);
    });
  }

  /** Sends bytes unchanged. Resolves with the received text when the connection closes. */
  async bytes(...pieces: readonly (string | Buffer)[]): Promise<string> {
    const socket = await this.open();
    const received = this.received(socket);
    for (const piece of pieces) socket.write(piece);
    return received;
  }

  /** A connection that stays open until the server ends it, or the test does. */
  async open(localAddress = "127.0.0.1"): Promise<Socket> {
    const socket = connect({ port: this.port, host: "127.0.0.1", localAddress });
    socket.on("error", () => undefined);
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    return socket;
  }

  /** All that comes on a connection until it closes. */
  received(socket: Socket, keep = true): Promise<string> {
    let text = "";
    socket.on("data", (data: Buffer) => (text += data.toString("latin1")));
    return new Promise((resolve) => {
      socket.once("close", () => {
        if (keep) this.answers.push(text);
        resolve(text);
      });
    });
  }

  /** Closes every connection that {@link open} has opened. */
  closeConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends the process, by a signal unless it has ended, and returns its exit status. */
  async stop(): Promise<number | null> {
    this.#agent.destroy();
    this.closeConnections();
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, "exit");
      this.child.kill();
      await exited;
    }
    return this.child.exitCode;
  }
}

/**
 * Work that runs beside others and is awaited after them. What fails before that would end the whole process, and
 * no test would be said to have failed.
 */
export function awaitedLater<Value>(work: Promise<Value>): Promise<Value> {
  work.catch(() => undefined);
  return work;
}

/** Starts the process of the demo server. The caller must end it. */
export function spawnDemo(
  folder: string,
  flags: readonly string[],
  { env = {}, node = process.execPath }: DemoSettings = {},
): ChildProcess {
  return spawn(node, ["--expose-gc", "dist/src/main.js", ...flags], {
    cwd: folder,
    env: { ...process.env, API_KEY: SECRET, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** The message in a body, or in the last event of a stream. */
export function messageOf(text: string): Answer["message"] {
  const isEvents = !text.startsWith("{");
  const event = isEvents ? [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] : undefined;
  try {
    return (JSON.parse(event ?? text) ?? {}) as Answer["message"];
  } catch {
    return {};
  }
}

/** The text of a tool's answer. */
export function textOf({ message }: Answer): string {
  const content = message.result?.["content"] as { readonly text?: string }[] | undefined;
  return content?.[0]?.text ?? "";
}
