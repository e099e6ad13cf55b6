import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { WebSocket } from "ws";
import type { Era } from "../../../harness/clients/project-clients.js";
import { INBOX, PRINCIPALS, type Principal, type PrincipalServer } from "./server.js";

/** A client of one caller, over one transport. */
export interface PrincipalClient {
  readonly principal: Principal;
  /** `SSE`, `HTTP modern`, … */
  readonly over: string;
  readonly client: Client;
  /** Whether handlers can ask it. */
  readonly canBeAsked: boolean;
  /** Whether it watches the inbox. */
  readonly watches: boolean;
  /** How often it was told that the inbox has changed. */
  readonly updates: () => number;
}

interface Route {
  readonly over: string;
  readonly era: Era;
  /** Whether the server can send messages outside of requests. */
  readonly lasts: boolean;
  open(server: PrincipalServer, headers: Headers): Transport;
}

type Headers = Readonly<Record<string, string>>;

const overHttp = (url: string, headers: Headers): Transport =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });

const ROUTES: readonly Route[] = [
  {
    ...{ over: "HTTP modern", era: "modern", lasts: true },
    open: ({ http }, headers) => overHttp(http, headers),
  },
  {
    ...{ over: "HTTP legacy", era: "legacy", lasts: false },
    open: ({ http }, headers) => overHttp(http, headers),
  },
  {
    ...{ over: "HTTP modern beside sessions", era: "modern", lasts: true },
    open: ({ sessions }, headers) => overHttp(sessions, headers),
  },
  {
    ...{ over: "session", era: "legacy", lasts: true },
    open: ({ sessions }, headers) => overHttp(sessions, headers),
  },
  {
    ...{ over: "SSE", era: "legacy", lasts: true },
    open: ({ sse }, headers) =>
      new SSEClientTransport(new URL(sse), {
        requestInit: { headers },
        eventSourceInit: {
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
        },
      }),
  },
  {
    ...{ over: "WebSocket modern", era: "modern", lasts: true },
    open: ({ socket }, headers) => new SocketTransport(socket, headers),
  },
  {
    ...{ over: "WebSocket legacy", era: "legacy", lasts: true },
    open: ({ socket }, headers) => new SocketTransport(socket, headers),
  },
];

/**
 * Connects both callers over every transport.
 *
 * @param stray Is called with each message that has the mark of another caller.
 */
export async function connectPrincipals(
  server: PrincipalServer,
  stray: (message: string) => void,
): Promise<PrincipalClient[]> {
  const clients: PrincipalClient[] = [];
  for (const route of ROUTES) {
    for (const principal of PRINCIPALS) {
      clients.push(await connectPrincipal(server, route, principal, stray));
    }
  }
  return clients;
}

async function connectPrincipal(
  server: PrincipalServer,
  { over, era, lasts, open }: Route,
  principal: Principal,
  stray: (message: string) => void,
): Promise<PrincipalClient> {
  const transport = open(server, { authorization: `Bearer ${principal}` });
  const mode = era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const);
  const client = new Client(
    { name: "principals", version: "1.0.0" },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
  );
  let updates = 0;
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { name: `named ${principal}` },
  }));
  client.setNotificationHandler("notifications/resources/updated", () => void (updates += 1));
  inspect(transport, principal, (message) => stray(`${over} of ${principal}: ${message}`));
  await client.connect(transport);
  if (lasts) await watchInbox(client, era);
  return { principal, over, client, canBeAsked: lasts, watches: lasts, updates: () => updates };
}

async function watchInbox(client: Client, era: Era): Promise<void> {
  if (era === "modern") await client.listen({ resourceSubscriptions: [INBOX] });
  else await client.subscribeResource({ uri: INBOX });
}

/** Looks at every message that comes in for the mark of another caller. */
function inspect(
  transport: Transport,
  principal: Principal,
  stray: (message: string) => void,
): void {
  const others = PRINCIPALS.filter((one) => one !== principal);
  let receive: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    get: () => receive,
    set: (receiver: Transport["onmessage"]) => {
      receive = (message, extra) => {
        const text = JSON.stringify(message);
        if (others.some((other) => text.includes(other))) stray(text);
        receiver?.(message, extra);
      };
    },
  });
}

/** A client's side of WebSocket that says who it is. */
class SocketTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #socket: WebSocket;

  constructor(url: string, headers: Headers) {
    const options = { headers, allowSynchronousEvents: false };
    this.#socket = new WebSocket(url.replace(/^http/, "ws"), "mcp", options);
  }

  async start(): Promise<void> {
    const socket = this.#socket;
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    socket.on("error", (error) => this.onerror?.(error));
    socket.on("close", () => this.onclose?.());
    socket.on("message", (data: Buffer) => {
      this.onmessage?.(JSON.parse(data.toString()) as JSONRPCMessage);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#socket.terminate();
  }
}
