import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { RunningServer } from "../server/create-server.js";
import type { NetworkDefinition } from "../engine/definition.js";
import { protectedResourcePage } from "../authentication/http-authentication.js";
import { boundConnections, type Connections } from "./connections.js";
import { sendError } from "./exchange.js";
import { endConnection } from "./linger.js";
import { defaultLimits, type Limits } from "../engine/limits.js";
import { bracketed, HttpGuards, isLoopback } from "./guards.js";
import { drainMs, type Endpoint, type RunningHttp, type UpgradePage } from "../start/transport.js";

/** Answers one request. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** How often connections are looked at for being too slow, at most, in milliseconds. */
const checkingMs = 1_000;

/** How long a connection may wait for its next request, in milliseconds. */
const keepAliveMs = 5_000;

/** The options of Node's servers that bound how slow a client may be: their own leave it minutes. */
function timeLimits({ headersTimeoutMs, bodyTimeoutMs }: Limits): ServerOptions {
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
  if (!isLoopback(address.host) && server.authentication === undefined) {
    server.log.warning("other machines can call this server, without authentication", {
      host: address.host,
    });
  }
  const answer = router(endpoints, server);
  const limits = { ...defaultLimits, ...server.definition.limits };
  const options = timeLimits(limits);
  const follow: RequestListener = (request, response) => {
    connections.follow(request, response);
    answer(request, response);
  };
  const listener = createTlsServer?.(options, follow) ?? createServer(options, follow);
  const connections = boundConnections(listener, limits.connections);
  listener.on("connect", (_request, socket: Socket) => {
    server.observer?.refuse("http", { status: 405, reason: "Method not allowed" });
    refuseConnect(socket);
  });
  listener.on("clientError", (error, socket: Socket) => {
    const answered = refuseMalformed(error, socket);
    if (answered === undefined) return;
    const [, status, reason = ""] = /^(\d+) (.*)$/.exec(answered) ?? [];
    server.observer?.refuse("http", { status: Number(status), reason });
  });
  const upgradePages = new Map(endpoints.flatMap(({ upgradePages = [] }) => [...upgradePages]));
  if (upgradePages.size > 0) listener.on("upgrade", upgrader(listener, upgradePages, connections));
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
    close: () => close(listener, server, endpoints),
  };
}

/** Hands each request to the page at its path, in its own spelling. */
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
  const guards = new HttpGuards(endpoints[0].definition);
  return (request, response) => {
    const page = pages.get(request.url ?? "") ?? pages.get(pathOf(request));
    if (page !== undefined) return page(request, response);
    observer?.refuse("http", { status: 404, reason: "Not found" });
    const headers = guards.corsHeaders(request.headers.origin);
    sendError(response, { status: 404, message: "Not found", headers }, bodyBytes);
  };
}

/**
 * Hands a request for a WebSocket to the page at its path. A request for anything else, `h2c` say,
 * which some clients ask for with each request, is read once more as if it had not asked: so does
 * Node itself on a listener that upgrades nothing.
 */
function upgrader(
  listener: Server | TlsServer,
  pages: ReadonlyMap<string, UpgradePage>,
  connections: Connections,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (request, socket, head) => {
    const page = isWebSocket(request) ? pages.get(pathOf(request)) : undefined;
    if (page !== undefined) {
      connections.waitsNoMore(request.socket);
      return page(request, socket, head);
    }
    socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), "latin1"), head]));
    listener.emit(socket instanceof TLSSocket ? "secureConnection" : "connection", socket);
  };
}

/** The head of a request as it came, without the wish for another protocol. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (/^(upgrade|http2-settings)$/i.test(name)) continue;
    const kept =
      name.toLowerCase() === "connection"
        ? value.split(",").filter((option) => !/^\s*(upgrade|http2-settings)\s*$/i.test(option))
        : [value];
    if (kept.length > 0) lines.push(`${name}: ${kept.join(",")}`);
  }
  return [...lines, "", ""].join("\r\n");
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

function pathOf({ url = "" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
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
  for (const endpoint of endpoints) endpoint.stop();
  const deadline = setTimeout(() => listener.closeAllConnections(), drainMs + 1_000);
  await server.drain(drainMs);
  await Promise.all(endpoints.map((endpoint) => endpoint.answered()));
  // Not before: a running call may wait for what its client says on a connection of its own.
  const closed = new Promise((resolve) => listener.close(resolve));
  await server.close();
  await Promise.all(endpoints.map((endpoint) => endpoint.end()));
  listener.closeAllConnections();
  clearTimeout(deadline);
  await closed;
}

function refuseConnect(socket: Socket): void {
  const answer = "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nConnection: close\r\n\r\n";
  endConnection(socket, answer);
}

/**
 * Answers what is no HTTP, or too slow to be, and closes the connection.
 * @returns the status; undefined where nobody is there to read it
 */
function refuseMalformed(
  error: Error & { code?: string; rawPacket?: Buffer },
  socket: Socket,
): string | undefined {
  if (!socket.writable) {
    socket.destroy();
    return undefined;
  }
  const status = statusOf(error);
  endConnection(socket, `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  return status;
}

function statusOf({ code, rawPacket }: { code?: string; rawPacket?: Buffer }): string {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  if (code !== "HPE_HEADER_OVERFLOW") return "400 Bad Request";
  const inFirstLine = rawPacket !== undefined && !rawPacket.includes("\n");
  return inFirstLine ? "414 URI Too Long" : "431 Request Header Fields Too Large";
}
