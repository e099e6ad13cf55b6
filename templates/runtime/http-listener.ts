import { createServer, ServerResponse, type IncomingMessage, type Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RunningServer } from "./create-server.js";
import type { NetworkDefinition } from "./definition.js";
import { boundConnections } from "./http-connections.js";
import { sendError } from "./http-exchange.js";
import { bracketed, HttpGuards, isLoopback } from "./http-guards.js";
import { drainMs, type Endpoint, type RunningHttp, type UpgradePage } from "./transport.js";

/** Answers one request. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Node's own limits leave a slow client minutes; these are in milliseconds. */
export const socketLimits = {
  headersTimeout: 8_000,
  requestTimeout: 25_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
const mostConnections = 1_024;

/**
 * Serves endpoints at one address, each at its own paths.
 * @param endpoints They name the same host and port.
 * @param createTlsServer Makes the server where it speaks TLS.
 * @throws Error when the address cannot be listened on
 */
export async function listen(
  server: RunningServer,
  endpoints: readonly [Endpoint, ...Endpoint[]],
  createTlsServer?: (answer: RequestListener) => TlsServer,
): Promise<RunningHttp> {
  const [{ definition: address }] = endpoints;
  if (!isLoopback(address.host)) {
    server.log.warning("other machines can call this server, without authentication", {
      host: address.host,
    });
  }
  const answer = router(endpoints);
  const listener = createTlsServer?.(answer) ?? createServer(socketLimits, answer);
  boundConnections(listener, mostConnections);
  listener.on("connect", (_request, socket: Socket) => refuseConnect(socket));
  listener.on("clientError", refuseMalformed);
  const upgradePages = new Map(endpoints.flatMap(({ upgradePages = [] }) => [...upgradePages]));
  if (upgradePages.size > 0) listener.on("upgrade", upgrader(upgradePages, answer));
  await bind(listener, address);
  const { port } = listener.address() as AddressInfo;
  const scheme = createTlsServer === undefined ? "http" : "https";
  const origin = `${scheme}://${bracketed(address.host)}:${port}`;
  return {
    url: `${origin}${address.path}`,
    urls: new Map(endpoints.map(({ definition: { type, path } }) => [type, `${origin}${path}`])),
    close: () => close(listener, server, endpoints),
  };
}

/** Hands each request to the page at its path, in its own spelling. */
function router(endpoints: readonly [Endpoint, ...Endpoint[]]): RequestListener {
  const pages = new Map(endpoints.flatMap((endpoint) => [...endpoint.pages]));
  const guards = new HttpGuards(endpoints[0].definition);
  return (request, response) => {
    const page = pages.get(pathOf(request));
    if (page !== undefined) page(request, response);
    else sendError(response, 404, "Not found", guards.corsHeaders(request.headers.origin));
  };
}

/**
 * Hands a request for another protocol to the page at its path. Without such a page, Node would answer
 * it as if it asked for nothing; where a listener has any, that is for this function to do.
 */
function upgrader(
  pages: ReadonlyMap<string, UpgradePage>,
  answer: RequestListener,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (request, socket, head) => {
    const page = pages.get(pathOf(request));
    if (page !== undefined && isWebSocket(request)) return page(request, socket, head);
    socket.on("error", () => undefined);
    const response = new ServerResponse(request);
    response.assignSocket(socket as Socket);
    response.shouldKeepAlive = false;
    response.on("finish", () => socket.end());
    answer(request, response);
  };
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
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
  const closed = new Promise((resolve) => listener.close(resolve));
  for (const endpoint of endpoints) endpoint.stop();
  const deadline = setTimeout(() => listener.closeAllConnections(), drainMs + 1_000);
  await server.drain(drainMs);
  await Promise.all(endpoints.map((endpoint) => endpoint.answered()));
  await server.close();
  await Promise.all(endpoints.map((endpoint) => endpoint.end()));
  listener.closeAllConnections();
  clearTimeout(deadline);
  await closed;
}

function refuseConnect(socket: Socket): void {
  socket.end("HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nConnection: close\r\n\r\n");
}

/** Answers what is no HTTP, or too slow to be, and closes the connection. */
function refuseMalformed(
  error: Error & { code?: string; rawPacket?: Buffer },
  socket: Socket,
): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(`HTTP/1.1 ${statusOf(error)}\r\nConnection: close\r\n\r\n`);
}

function statusOf({ code, rawPacket }: { code?: string; rawPacket?: Buffer }): string {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  if (code !== "HPE_HEADER_OVERFLOW") return "400 Bad Request";
  const inFirstLine = rawPacket !== undefined && !rawPacket.includes("\n");
  return inFirstLine ? "414 URI Too Long" : "431 Request Header Fields Too Large";
}
