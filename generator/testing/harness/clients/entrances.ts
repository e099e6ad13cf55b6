import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { WebSocket } from "ws";

/** The places of a server at which requests come in: each transport, era and method. */

export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** What a request says of its sender. */
export interface Credentials {
  /** A list is sent as several headers with the name. */
  readonly headers: Headers;
  /** The query. */
  readonly query?: string;
  /** The tool that is called; by default one that needs no scope. */
  readonly tool?: string;
}

const INITIALIZE = {
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
};

/** A call of 2026-07-28: its headers and its body. */
export function modernCall(name: string): { readonly headers: Headers; readonly body: object } {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: { method: "tools/call", params: { name, arguments: {}, _meta } },
  };
}

/** Sends a request with the client of Node.js, which writes it unchanged. Waits for the head of the answer. */
async function send(
  url: URL,
  method: string,
  headers: Headers,
  body?: object,
): Promise<IncomingMessage> {
  const accept = method === "GET" ? "text/event-stream" : "application/json, text/event-stream";
  const all = { "content-type": "application/json", accept, ...headers };
  const sent = request(url, { method, headers: all as never });
  sent.end(body && JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

async function statusOf(...sent: Parameters<typeof send>): Promise<number> {
  const response = await send(...sent);
  response.destroy();
  return response.statusCode ?? 0;
}

/** The headers of requests in a new session. */
async function openSession(url: URL, own: Headers): Promise<Headers> {
  const opened = await send(url, "POST", own, INITIALIZE);
  opened.destroy();
  return {
    "mcp-session-id": String(opened.headers["mcp-session-id"]),
    "mcp-protocol-version": "2025-11-25",
  };
}

/** The status with which a WebSocket is refused, or 101. */
export function socketStatus(url: URL, headers: Headers): Promise<number> {
  const socket = new WebSocket(url.href.replace(/^http/, "ws"), "mcp", {
    headers: headers as never,
  });
  return new Promise((resolve, reject) => {
    socket.once("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.once("unexpected-response", (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.once("error", reject);
  });
}

/**
 * The status of the answer to credentials at each entrance of a server with all transports.
 *
 * @param own headers with which a session and a stream are opened, for those who come later
 */
export async function statusesAt(
  serverUrl: string,
  { headers, query = "", tool = "whoami" }: Credentials,
  own: Headers,
): Promise<Record<string, number>> {
  const at = (path: string, first = ""): URL => {
    const url = new URL(path, serverUrl);
    url.search = [first, query].filter(Boolean).join("&");
    return url;
  };
  const mcp = new URL(serverUrl).pathname;
  const session = await openSession(new URL(serverUrl), own);
  const events = await send(new URL("/sse", serverUrl), "GET", own);
  const [told] = (await once(events, "data")) as [Buffer];
  const messages = new URL(/^data: (.+)$/m.exec(told.toString())?.[1] ?? "", serverUrl);
  const call = { method: "tools/call", params: { name: tool, arguments: {} } };
  const modern = modernCall(tool);
  const inSession = { ...session, ...headers };
  const resumed = { ...inSession, "last-event-id": "1" };
  const found = {
    modern: await statusOf(at(mcp), "POST", { ...modern.headers, ...headers }, modern.body),
    initialize: await statusOf(at(mcp), "POST", headers, INITIALIZE),
    session: await statusOf(at(mcp), "POST", inSession, call),
    stream: await statusOf(at(mcp), "GET", inSession),
    resumed: await statusOf(at(mcp), "GET", resumed),
    sse: await statusOf(at("/sse"), "GET", headers),
    messages: await statusOf(
      at(messages.pathname, messages.search.slice(1)),
      "POST",
      headers,
      call,
    ),
    socket: await socketStatus(at("/ws"), headers),
    delete: await statusOf(at(mcp), "DELETE", inSession),
  };
  events.destroy();
  return found;
}
