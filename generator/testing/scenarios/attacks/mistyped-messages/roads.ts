import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";
import type { Era } from "../../../../../templates/runtime/context/context.js";
import type { Frame } from "./mistyping.js";
import { HANDSHAKE, honestRequest, type Json } from "./messages.js";
import type { ServerProcess } from "./server-process.js";

/** What came back after a frame: messages of the server, and the status of the answer over HTTP. */
export interface Reply {
  readonly status?: number;
  readonly messages: readonly Json[];
  /** Whether the server has closed the connection. */
  readonly isClosed: boolean;
}

/** A way into a server: a transport with a client of one era. */
export interface Road {
  readonly name: string;
  readonly era: Era;
  readonly server: ServerProcess;
  /** Sends a frame, and collects what comes until `isAnswer` finds its answer and an honest request is answered. */
  send(frame: Frame, isAnswer: ((message: Json) => boolean) | undefined): Promise<Reply>;
  close(): Promise<void>;
}

/** How long a frame or an honest request may be without an answer, in milliseconds. */
const PATIENCE_MS = 10_000;

const AUTHORIZATION = { authorization: "Bearer bob" };

/** Collects messages of a connection until all are there that somebody waits for. */
class Inbox {
  #messages: Json[] = [];
  #check: () => void = () => undefined;
  #isClosed = false;

  add(message: unknown): void {
    this.#messages.push(message as Json);
    this.#check();
  }

  close(): void {
    this.#isClosed = true;
    this.#check();
  }

  /** Empties the inbox when a message satisfies each condition, the connection is closed, or it takes too long. */
  async until(conditions: readonly ((message: Json) => boolean)[]): Promise<Reply> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS);
      this.#check = () => {
        const isThere = conditions.every((condition) => this.#messages.some(condition));
        if (!isThere && !this.#isClosed) return;
        clearTimeout(timer);
        resolve();
      };
      this.#check();
    });
    return { messages: this.#messages.splice(0), isClosed: this.#isClosed };
  }
}

/** A connection over which messages go both ways. */
interface Wire {
  readonly inbox: Inbox;
  /** Writes a text; resolves with the HTTP status of the answer to it, where there is one. */
  write(text: string): Promise<{ readonly status?: number; readonly messages?: readonly Json[] }>;
  close(): void;
}

class ConnectionRoad implements Road {
  readonly name: string;
  readonly era: Era;
  readonly server: ServerProcess;
  readonly #connect: () => Promise<Wire>;
  #wire: Promise<Wire> | undefined;
  #count = 0;

  constructor(name: string, era: Era, server: ServerProcess, connect: () => Promise<Wire>) {
    this.name = `${name}, ${era}`;
    this.era = era;
    this.server = server;
    this.#connect = connect;
  }

  async send(frame: Frame, isAnswer: (message: Json) => boolean = () => true): Promise<Reply> {
    const wire = await (this.#wire ??= this.#open());
    const { status, messages = [] } = await wire.write(frame.text);
    const id = `honest ${this.#count++}`;
    await wire.write(JSON.stringify(honestRequest(this.era, id)));
    // A refusal over HTTP is the answer: nothing else comes.
    const isRefused = status !== undefined && status >= 400;
    const conditions = [...(isRefused ? [] : [isAnswer]), isHonestAnswer(id)];
    const reply = await wire.inbox.until(conditions);
    if (reply.isClosed) this.#wire = undefined;
    return {
      ...reply,
      ...(status !== undefined && { status }),
      messages: [...messages, ...reply.messages],
    };
  }

  async close(): Promise<void> {
    (await this.#wire)?.close();
  }

  async #open(): Promise<Wire> {
    const wire = await this.#connect();
    if (this.era === "legacy") {
      await wire.write(JSON.stringify(HANDSHAKE));
      await wire.inbox.until([({ id }) => id === HANDSHAKE["id"]]);
      await wire.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    }
    return wire;
  }
}

function isHonestAnswer(honestId: string): (message: Json) => boolean {
  return ({ id, result }) =>
    id === honestId && JSON.stringify(result)?.includes("Hello, Ada!") === true;
}

export function webSocketRoad(server: ServerProcess, era: Era): Road {
  return new ConnectionRoad("websocket", era, server, async () => {
    const url = server.url("websocket").href.replace(/^http/, "ws");
    const socket = new WebSocket(url, "mcp", { headers: AUTHORIZATION });
    const inbox = new Inbox();
    socket.on("error", () => undefined);
    socket.on("close", () => inbox.close());
    socket.on("message", (data: Buffer) => inbox.add(JSON.parse(data.toString())));
    await Promise.race([once(socket, "open"), once(socket, "close")]);
    return {
      inbox,
      write: async (text) => {
        socket.send(text, () => undefined);
        return {};
      },
      close: () => socket.terminate(),
    };
  });
}

/** The server of the road is a process of its own: its streams are the connection. */
export function stdioRoad(server: ServerProcess, era: Era): Road {
  const { child } = server;
  const inbox = new Inbox();
  child.on("exit", () => inbox.close());
  createInterface({ input: child.stdout! }).on("line", (line) => inbox.add(JSON.parse(line)));
  return new ConnectionRoad("stdio", era, server, async () => ({
    inbox,
    write: async (text) => {
      child.stdin?.write(`${text}\n`);
      return {};
    },
    close: () => undefined,
  }));
}

export function sseRoad(server: ServerProcess): Road {
  return new ConnectionRoad("sse", "legacy", server, async () => {
    const stream = httpRequest(server.url("sse"), {
      headers: { ...AUTHORIZATION, accept: "text/event-stream" },
    });
    stream.on("error", () => undefined);
    stream.end();
    const [response] = (await once(stream, "response")) as [IncomingMessage];
    const inbox = new Inbox();
    response.on("close", () => inbox.close());
    response.on("error", () => undefined);
    const target = await new Promise<string>((resolve) => {
      const lines = createInterface({ input: response });
      lines.on("error", () => undefined);
      lines.on("line", (line) => {
        const data = /^data: (.*)$/.exec(line)?.[1];
        if (data === undefined) return;
        if (data.startsWith("{")) inbox.add(JSON.parse(data));
        else resolve(data);
      });
    });
    const poster = new HttpPoster(new URL(target, server.url("sse")));
    return {
      inbox,
      write: (text) => poster.post(text, {}),
      close: () => {
        stream.destroy();
        poster.close();
      },
    };
  });
}

/** Messages after which a stream stays open: it is a subscription, or waits for what the user answers to a question. */
const ENDLESS = ["notifications/subscriptions/acknowledged", "elicitation/create"];

/** Sends texts over HTTP, each in a request. */
class HttpPoster {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: URL) {
    this.#url = url;
  }

  /** Resolves when the answer is whole, or the first event of a stream that does not end has come. */
  async post(
    text: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ status: number; messages: readonly Json[]; session?: string }> {
    const post = httpRequest(this.#url, {
      method: "POST",
      agent: this.#agent,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "content-length": Buffer.byteLength(text),
        ...AUTHORIZATION,
        ...headers,
      },
    });
    post.setTimeout(PATIENCE_MS, () => post.destroy(new Error("no answer in time")));
    post.end(text);
    const [response] = (await once(post, "response")) as [IncomingMessage];
    let body = "";
    for await (const chunk of response.setEncoding("utf8")) {
      body += chunk as string;
      if (ENDLESS.some((method) => body.includes(`"${method}"`))) break;
    }
    const { statusCode = 0, headers: received } = response;
    const session = received["mcp-session-id"];
    return {
      status: statusCode,
      messages: messagesIn(body),
      ...(typeof session === "string" && { session }),
    };
  }

  close(): void {
    this.#agent.destroy();
  }
}

function messagesIn(body: string): readonly Json[] {
  const events = [...body.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => data);
  const texts = body.startsWith("{") || body.startsWith("[") ? [body] : events;
  return texts.flatMap((text) => JSON.parse(text) as Json | readonly Json[]);
}

/** The headers of a request of 2026-07-28 that repeat parts of its body, where these are texts. */
function repeatedHeaders({ value }: Frame): Readonly<Record<string, string>> {
  const { method, params } = (value ?? {}) as Json;
  const { name, uri } = (params ?? {}) as Json;
  const repeated = { "mcp-method": method, "mcp-name": name ?? uri };
  return Object.fromEntries(
    Object.entries(repeated).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === "string" && /^[!-~]{1,1000}$/.test(entry[1]),
    ),
  );
}

/** Streamable HTTP: of the newest era, of the older ones with a session, or without. */
class HttpRoad implements Road {
  readonly name: string;
  readonly era: Era;
  readonly server: ServerProcess;
  readonly #hasSession: boolean;
  readonly #poster: HttpPoster;
  #session: Promise<string | undefined> | undefined;
  #count = 0;

  constructor(server: ServerProcess, era: Era, hasSession: boolean) {
    this.name = `http${hasSession ? " with a session" : ""}, ${era}`;
    this.era = era;
    this.server = server;
    this.#hasSession = hasSession;
    this.#poster = new HttpPoster(server.url("http"));
  }

  async send(frame: Frame): Promise<Reply> {
    const headers = await this.#headers(frame);
    const reply = await this.#poster.post(frame.text, headers).catch(() => undefined);
    const id = `honest ${this.#count++}`;
    const honest = honestRequest(this.era, id);
    const honestFrame = { text: JSON.stringify(honest), value: honest };
    const answer = await this.#poster.post(honestFrame.text, await this.#headers(honestFrame));
    const messages = [...(reply?.messages ?? []), ...answer.messages];
    return { status: reply?.status ?? 0, messages, isClosed: reply === undefined };
  }

  async close(): Promise<void> {
    this.#poster.close();
  }

  async #headers(frame: Frame): Promise<Readonly<Record<string, string>>> {
    if (this.era === "modern") {
      return { "mcp-protocol-version": "2026-07-28", ...repeatedHeaders(frame) };
    }
    const version = { "mcp-protocol-version": "2025-11-25" };
    if (!this.#hasSession) return version;
    this.#session ??= this.#poster.post(JSON.stringify(HANDSHAKE), {}).then((one) => one.session);
    return { ...version, "mcp-session-id": (await this.#session) ?? "" };
  }
}

export function httpRoad(server: ServerProcess, era: Era, hasSession = false): Road {
  return new HttpRoad(server, era, hasSession);
}
