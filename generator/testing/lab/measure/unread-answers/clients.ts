import { once } from "node:events";
import { request as httpRequest, type Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";

/** A request of a method for a long answer. */
export interface Ask {
  readonly method: "tools/call" | "resources/read";
  readonly params: Readonly<Record<string, unknown>>;
}

/** Opens a connection that asks, and reads nothing of the answer. @returns how to end it */
export type AskUnread = (port: number, ask: Ask) => Promise<() => void>;

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "measurement", version: "1" },
};

const message = (method: string, params: object, id = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

const modern = ({ method, params }: Ask, more: object = {}): string =>
  message(method, { ...params, _meta: { ...meta, ...more } });

function modernHeaders({ method, params }: Ask): Record<string, string> {
  const name = String(params["name"] ?? params["uri"]);
  const version = { "mcp-protocol-version": "2026-07-28" };
  return { ...json, ...version, "mcp-method": method, "mcp-name": name };
}

function head(path: string, body: string, headers: Readonly<Record<string, string>>): string {
  const all = { host: "localhost", ...headers, "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, ...lines, "", body].join("\r\n");
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

async function sendUnread(port: number, text: string): Promise<() => void> {
  const socket = await open(port);
  socket.pause();
  socket.write(text);
  return () => void socket.destroy();
}

/** Sends a request and reads the whole answer. */
export function send(
  port: number,
  body: string,
  headers: Readonly<Record<string, string>>,
  path = "/mcp",
  agent: Agent | false = false,
): Promise<{ status: number; bytes: number; text: string; session: string | undefined }> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method: "POST", headers, agent };
    const request = httpRequest(options, (response) => {
      let bytes = 0;
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => {
        if (bytes < 100_000) chunks.push(chunk);
        bytes += chunk.length;
      });
      response.on("error", reject).on("aborted", () => reject(new Error("the answer broke off")));
      response.on("end", () => {
        const session = response.headers["mcp-session-id"] as string | undefined;
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, bytes, text, session });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** A request of 2026-07-28 whose answer is read. @param agent keeps connections; by default each request has a new one */
export const readAnswer = (port: number, ask: Ask, agent?: Agent): ReturnType<typeof send> =>
  send(port, modern(ask), modernHeaders(ask), "/mcp", agent);

/** The ways to ask, by their names. `of a session` needs a server with sessions; the others one without. */
export const ASK_UNREAD: Readonly<Record<string, AskUnread>> = {
  "2026-07-28": (port, ask) => sendUnread(port, head("/mcp", modern(ask), modernHeaders(ask))),
  "2026-07-28, SDK": (port, ask) => {
    const origin = { origin: "http://localhost" };
    return sendUnread(port, head("/mcp", modern(ask), { ...modernHeaders(ask), ...origin }));
  },
  "2026-07-28, events": (port, ask) =>
    sendUnread(port, head("/mcp", modern(ask, { progressToken: 1 }), modernHeaders(ask))),
  "2025-11-25, events": (port, { method, params }) =>
    sendUnread(port, head("/mcp", message(method, params), json)),
  "of a session": async (port, { method, params }) => {
    const { session = "" } = await send(port, message("initialize", initialize), json);
    const headers = { ...json, "mcp-session-id": session };
    return sendUnread(port, head("/mcp", message(method, params, 2), headers));
  },
  SSE: async (port, { method, params }) => {
    const stream = await open(port);
    let text = "";
    stream.on("data", (data: Buffer) => (text += data.toString()));
    stream.write("GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
    while (!text.includes("sessionId")) await once(stream, "data");
    stream.pause();
    const { pathname, search } = new URL(
      /data: (\S+)/.exec(text)?.[1] ?? "",
      "http://localhost/sse",
    );
    const path = pathname + search;
    await send(port, message("initialize", initialize), json, path);
    await send(port, message(method, params, 2), json, path);
    return () => void stream.destroy();
  },
  WebSocket: async (port, ask) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/mcp/ws`, "mcp");
    socket.on("error", () => undefined);
    await once(socket, "open");
    socket.pause();
    socket.send(modern(ask));
    return () => void socket.terminate();
  },
};
