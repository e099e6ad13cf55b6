import { WebSocket } from "ws";
import { openSession, post } from "./caller-requests.js";

/** Streams that a server with authenticated callers holds open for one of them. */

/** Something that goes on for whoever has the token; it resolves once it is there, with what ends it. */
export interface Held {
  readonly isOpen: boolean;
  readonly ended: Promise<unknown>;
}

const held = async (opening: Promise<Response>): Promise<Held> => {
  const response = await opening;
  const ended = response.text().catch(() => undefined);
  return { isOpen: response.status === 200, ended };
};

/** What opens a subscription to these resources. */
export const listening = (uris: readonly string[]) => (serverUrl: string, token: string) => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { notifications: { resourceSubscriptions: uris }, _meta };
  return held(
    fetch(serverUrl, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }),
    }),
  );
};

/** Streams of every kind, each opened with a token that has all scopes. */
export const STREAMS: Readonly<
  Record<string, (serverUrl: string, token: string) => Promise<Held>>
> = {
  "a subscription": listening(["demo://secret"]),
  "the stream of a session": async (serverUrl, token) => {
    const headers = { authorization: `Bearer ${token}` };
    const session = await openSession(serverUrl, headers);
    const accept = { accept: "text/event-stream" };
    return held(fetch(serverUrl, { headers: { ...session, ...headers, ...accept } }));
  },
  "a stream of server-sent events": async (serverUrl, token) => {
    const headers = { authorization: `Bearer ${token}` };
    const url = new URL("/sse", serverUrl);
    const response = await fetch(url, { headers });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    const path = /^data: (.+)$/m.exec(new TextDecoder().decode(value))?.[1] ?? "";
    await post(new URL(path, url).href, headers, { method: "ping" });
    const ended = (async () => {
      while (!(await reader.read()).done);
    })().catch(() => undefined);
    return { isOpen: response.status === 200, ended };
  },
  "a socket": async (serverUrl, token) => {
    const socket = openSocket(serverUrl, token).on("error", () => undefined);
    let isOpen = false;
    socket.on("open", () => (isOpen = true));
    const ended = new Promise((resolve) => socket.once("close", resolve));
    await Promise.race([ended, new Promise((resolve) => socket.once("open", resolve))]);
    return { isOpen, ended };
  },
};

export function openSocket(serverUrl: string, token: string): WebSocket {
  const url = new URL("/ws", serverUrl).href.replace(/^http/, "ws");
  return new WebSocket(url, "mcp", { headers: { authorization: `Bearer ${token}` } });
}
