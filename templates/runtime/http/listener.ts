import type { Endpoint, RunningHttp } from "./transport.js";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { RunningServer } from "../server/create-server.js";
import type { NetworkDefinition } from "./definition.js";
import { protectedResourcePage } from "../authentication/http-authentication.js";
import { leave } from "./balancing.js";
import { boundConnections } from "./connections.js";
import { pathOf, sendError } from "./exchange.js";
import { clientAddress } from "./client-address.js";
import { rateLimitOf } from "./gate.js";
import { endConnection } from "./linger.js";
import { defaultLimits } from "../engine/limits.js";
import { networkLimits } from "./network-limits.js";
import { bracketed, headersProblem, HttpGuards, isLoopback } from "./guards.js";
import { drainMs, writeMs } from "../start/transport.js";
import { upgradeListener, upgradeOptions } from "./upgrades.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Answers requests within the spans that their headers name. */
    readonly traceHeaders?: (answer: RequestListener) => RequestListener;
  }
}

/** Answers one request. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Longest time between two checks for slow connections, in milliseconds. */
const checkingMs = 1_000;

/** How long a connection may wait for its next request, in milliseconds. */
const keepAliveMs = 5_000;

/** The options of Node's servers that limit slow clients: the defaults allow minutes. */
function timeLimits({ headersTimeoutMs, bodyTimeoutMs }: typeof networkLimits): ServerOptions {
  return {
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs + bodyTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(checkingMs, headersTimeoutMs, bodyTimeoutMs),
  };
}

/**
 * Serves endpoints at one address, each at its own paths.
 * @param endpoints They name the same host and port.
 * @param createTlsServer Makes the server where it speaks TLS.
 * @throws Error when the address cannot be listened on
 */
export async function listen(
  server: RunningServer,
  endpoints: readonly [Endpoint, ...Endpoint[]],
  createTlsServer?: (options: ServerOptions, answer: RequestListener) => TlsServer,
): Promise<RunningHttp> {
  const [{ definition: address }] = endpoints;
  if (!isLoopback(address.host) && server.access?.authentication === undefined) {
    server.log.warning("other machines can call this server, without authentication", {
      host: address.host,
    });
  }
  const routed = router(endpoints, server);
  const answer = server.definition.traceHeaders?.(routed) ?? routed;
  const limits = { ...networkLimits, ...server.definition.limits };
  const upgradePages = new Map(endpoints.flatMap(({ upgradePages = [] }) => [...upgradePages]));
  const options = { ...timeLimits(limits), ...(upgradePages.size > 0 && upgradeOptions) };
  let isClosing = false;
  const follow: RequestListener = (request, response) => {
    // Requests that arrived after the one that ended the connection are not answered.
    if (request.socket.destroyed) return;
    connections.follow(request, response);
    // The next request needs a new connection, which balancers open to another replica.
    if (isClosing) response.shouldKeepAlive = false;
    answer(request, response);
  };
  const listener = createTlsServer?.(options, follow) ?? createServer(options, follow);
  // Node must not drop headers (`Host`, say) before they are counted; their length is limited anyway.
  listener.maxHeadersCount = 0;
  const connections = boundConnections(listener, limits.connections);
  listener.on("connect", (_request, socket: Socket) => {
    server.observer?.refuse("http", { status: 405, reason: "Method not allowed" });
    socket.on("error", () => undefined);
    connections.whenAnswered(socket, () => refuseConnect(socket));
  });
  const malformed = new WeakSet<Socket>();
  listener.on("clientError", (error, socket: Socket) => {
    // Bytes after those that are no HTTP are none, either.
    if (malformed.has(socket)) return;
    malformed.add(socket);
    if (!socket.writable) return void socket.destroy();
    const [status, reason] = statusOf(error);
    server.observer?.refuse("http", { status, reason });
    connections.whenAnswered(socket, () => {
      endConnection(socket, `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\n\r\n`);
    });
  });
  if (upgradePages.size > 0) {
    listener.on("upgrade", upgradeListener(listener, upgradePages, connections));
  }
  await bind(listener, address);
  const { port } = listener.address() as AddressInfo;
  server.metrics?.gauge("mcp_server_connections", "Open connections.", () => connections.open, {
    address: `${bracketed(address.host)}:${port}`,
  });
  const scheme = createTlsServer === undefined ? "http" : "https";
  const origin = `${scheme}://${bracketed(address.host)}:${port}`;
  return {
    url: `${origin}${address.path}`,
    urls: new Map(endpoints.map(({ definition: { type, path } }) => [type, `${origin}${path}`])),
    close: () => {
      isClosing = true;
      return close(listener, server, endpoints);
    },
  };
}

/** Passes each request with unambiguous headers to the page at its exact path. */
function router(
  endpoints: readonly [Endpoint, ...Endpoint[]],
  server: RunningServer,
): RequestListener {
  const { observer } = server;
  const { bodyBytes } = { ...defaultLimits, ...server.definition.limits };
  const pages = new Map([
    ...protectedResourcePage(server),
    ...endpoints.flatMap((endpoint) => [...endpoint.pages]),
  ]);
  const { definition } = endpoints[0];
  const { trustProxy } = definition;
  const guards = new HttpGuards(definition);
  const rate = rateLimitOf(server);
  return (request, response) => {
    const problem = headersProblem(request);
    const page = pages.get(request.url ?? "") ?? pages.get(pathOf(request));
    if (page !== undefined && problem === undefined) return page(request, response);
    const wait = rate.take(clientAddress(request, trustProxy));
    const limited = wait > 0 ? { status: 429, message: "Too many requests" } : undefined;
    const { status, message } = limited ?? problem ?? { status: 404, message: "Not found" };
    observer?.refuse("http", { status, reason: message });
    const headers = {
      ...guards.corsHeaders(request.headers.origin),
      ...(wait > 0 && { "retry-after": String(wait) }),
    };
    sendError(response, { status, message, headers }, bodyBytes);
  };
}

function bind(listener: Server | TlsServer, { host, port }: NetworkDefinition): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => {
      listener.off("error", reject);
      resolve();
    });
  });
}

async function close(
  listener: Server | TlsServer,
  server: RunningServer,
  endpoints: readonly Endpoint[],
): Promise<void> {
  let closed: Promise<unknown> | undefined;
  const takeNoMore = (): Promise<unknown> =>
    (closed ??= new Promise((resolve) => listener.close(resolve)));
  const notice = leave(server);
  if (notice !== undefined) {
    await notice;
    // Connections that were used meanwhile have closed after their answers.
    listener.closeIdleConnections();
    // Clients that connect after the notice are refused at once, and try another replica.
    if (!endpoints.some(({ hearsClients }) => hearsClients)) await soon(takeNoMore());
  }
  for (const endpoint of endpoints) endpoint.stop();
  const deadline = setTimeout(() => listener.closeAllConnections(), drainMs + writeMs);
  await server.drain(drainMs);
  await Promise.all(endpoints.map((endpoint) => endpoint.answered()));
  // Not earlier: a running call may wait for an answer that its client sends on another connection.
  void takeNoMore();
  await server.close();
  await Promise.all(endpoints.map((endpoint) => endpoint.end()));
  await soon(takeNoMore());
  listener.closeAllConnections();
  clearTimeout(deadline);
  await closed;
}

/** Waits for something, but not for long. */
async function soon(work: Promise<unknown>): Promise<void> {
  await Promise.race([work, delay(writeMs, undefined, { ref: false })]);
}

function refuseConnect(socket: Socket): void {
  const answer = "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nConnection: close\r\n\r\n";
  endConnection(socket, answer);
}

/** The status and its reason for what is no HTTP, or comes too slowly. */
function statusOf({
  code,
  rawPacket,
}: Error & { code?: string; rawPacket?: Buffer }): [status: number, reason: string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "Request Timeout"];
  if (code !== "HPE_HEADER_OVERFLOW") return [400, "Bad Request"];
  const inFirstLine = rawPacket !== undefined && !rawPacket.includes("\n");
  return inFirstLine ? [414, "URI Too Long"] : [431, "Request Header Fields Too Large"];
}
