import type { Endpoint, HttpError, Page, RunningHttp } from "./transport.js";
import {
  STATUS_CODES,
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
import { protectedResourcePage } from "../authentication/protected-resource-page.js";
import { leave } from "./balancing.js";
import { Connections } from "./connections.js";
import { failExchange, sendError, sendWhole } from "./exchange.js";
import { clientAddress } from "./client-address.js";
import { rateLimitOf, refusalOfLost } from "./gate.js";
import { answerHalfClosed } from "./half-closed.js";
import type { WholeAnswer } from "./page-answer.js";
import type { RequestHead } from "./request-head.js";
import { pageAt } from "./request-path.js";
import { clientOf } from "./rate-limit.js";
import { replicasOf, type Accepting } from "./replicas.js";
import type { ExceededLimit } from "../observe/refusals.js";
import { refusePlainly, refuserOverTls } from "./last-answers.js";
import { endConnection, isEnding } from "./linger.js";
import { recover } from "../engine/awaitable.js";
import { limitInWords, type Limits } from "../engine/limits.js";
import { bracketed, headersProblem, HttpGuards, isLoopback } from "./guards.js";
import { drainMs, writeMs } from "../start/transport.js";
import { upgradeListener, upgradeOptions } from "./upgrades.js";
/** Answers a request. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Longest time between two checks for slow connections, in milliseconds. */
const checkingMs = 1_000;

/**
 * How long a connection may wait for its next request, in milliseconds. Node.js tells clients the whole seconds of it. The rest
 * is for requests that are under way: one that meets the end of its connection is lost.
 */
const keepAliveMs = 5_900;

/** The options of Node's servers that limit slow clients. The defaults allow minutes. */
export function timeLimits({ headersTimeoutMs, bodyTimeoutMs }: Limits): ServerOptions {
  return {
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs + bodyTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(checkingMs, headersTimeoutMs, bodyTimeoutMs),
  };
}

/**
 * Serves endpoints at one address, each at its own paths.
 * @param endpoints The endpoints, all with the same host and port.
 * @param createTlsServer Makes Node's server; absent for an address without TLS.
 * @throws Error if the address cannot be listened on
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
  const pages = router(endpoints, server);
  const { traceHeaders } = server.definition;
  const traced: RequestListener =
    traceHeaders === undefined
      ? pages
      : (request, response) =>
          traceHeaders(request.headers, () => pages(request, response), request);
  const answer = counted(traced, server, address);
  const upgradePages = new Map(endpoints.flatMap(({ upgradePages = [] }) => [...upgradePages]));
  const options = { ...timeLimits(server.limits), ...(upgradePages.size > 0 && upgradeOptions) };
  let isClosing = false;
  const follow: RequestListener = (request, response) => {
    // Requests that arrived after the one that ended the connection are not answered.
    if (request.socket.destroyed || isEnding(request.socket)) return;
    connections.follow(request, response);
    // The next request needs a new connection, which balancers open to another replica.
    if (isClosing) response.shouldKeepAlive = false;
    answer(request, response);
  };
  const tlsListener = createTlsServer?.(options, follow);
  const listener = tlsListener ?? createServer(options, follow);
  // Node must not drop headers, such as `Host`, before they are counted; their length is limited anyway.
  listener.maxHeadersCount = 0;
  const { connections: most } = server.limits;
  const limit = limitInWords(server.limits, "connections");
  const tooMany = lastAnswer(503, "Too many connections", limit);
  const connections = new Connections(listener, most, {
    onLoss: (address) => {
      server.refusals.exceed({ limit: "connections", address }, { transport: "http" });
    },
    refuse:
      tlsListener === undefined
        ? (socket) => refusePlainly(socket, tooMany)
        : refuserOverTls(tlsListener, tooMany),
  });
  if (createTlsServer === undefined)
    answerHalfClosed(listener, (socket) => connections.requestsOf(socket));
  refuseInvalid(listener, connections, server);
  if (upgradePages.size > 0) {
    listener.on("upgrade", upgradeListener(listener, upgradePages, connections, server.log));
  }
  const { accept } = replicasOf(server) ?? {};
  const accepting = accept?.(listener, address, connections) ?? (await bind(listener, address));
  const authority = `${bracketed(address.host)}:${accepting.port}`;
  server.metrics?.gauge("mcp_server_connections", "Open connections.", () => connections.open, {
    address: authority,
  });
  const origin = `${createTlsServer === undefined ? "http" : "https"}://${authority}`;
  return {
    url: `${origin}${address.path}`,
    urls: new Map(endpoints.map(({ definition: { type, path } }) => [type, `${origin}${path}`])),
    close: () => {
      isClosing = true;
      return close(listener, accepting, server, endpoints);
    },
  };
}

/** Answers `CONNECT`, and bytes that are not HTTP or arrive too slowly, with an error. */
function refuseInvalid(
  listener: Server | TlsServer,
  connections: Connections,
  { refusals, limits }: RunningServer,
): void {
  const refuse = (
    socket: Socket,
    status: number,
    reason: string,
    answer: string,
    exceeded?: ExceededLimit,
  ): void => {
    refusals.report("http", { status, reason }, { ...(exceeded && { exceeded }) });
    connections.whenAnswered(socket, () => endConnection(socket, answer));
  };
  listener.on("connect", (_request, socket: Socket) => {
    socket.on("error", () => undefined);
    const answer = "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nConnection: close\r\n\r\n";
    refuse(socket, 405, "Method not allowed", answer);
  });
  const malformed = new WeakSet<Socket>();
  listener.on("clientError", (error, socket: Socket) => {
    // Each connection is refused once: Node may report further bytes of it.
    if (malformed.has(socket)) return;
    malformed.add(socket);
    if (!socket.writable) return void socket.destroy();
    const [status, reason] = statusOf(error);
    const exceeded = status === 408 ? tooSlow(socket, connections) : undefined;
    const limit = exceeded && limitInWords(limits, exceeded.limit);
    refuse(socket, status, reason, lastAnswer(status, reason, limit), exceeded);
  });
}

/** The bytes of an answer after which the connection is closed. @param limit The limit that was exceeded, in words. */
function lastAnswer(status: number, reason: string, limit: string | undefined): string {
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? reason}\r\nConnection: close\r\n`;
  if (limit === undefined) return `${start}\r\n`;
  const error = { code: -32000, message: `${reason} (${limit})` };
  const body = JSON.stringify({ jsonrpc: "2.0", error });
  return `${start}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** The time limit of a client that sent too slowly; undefined if it sent nothing, as clients do that connect in advance. */
function tooSlow(socket: Socket, connections: Connections): ExceededLimit | undefined {
  if (socket.bytesRead === 0) return undefined;
  const limit = connections.isSendingBody(socket) ? "bodyTimeoutMs" : "headersTimeoutMs";
  return { limit, address: clientOf(socket.remoteAddress ?? "") };
}

/** Passes each request with unambiguous headers to the page at its exact path. */
function router(
  endpoints: readonly [Endpoint, ...Endpoint[]],
  server: RunningServer,
): RequestListener {
  const { refusals, limits } = server;
  const served =
    (page: (request: RequestHead) => WholeAnswer): Page =>
    (request, response) =>
      sendWhole(request, response, page(request));
  const pages = new Map([
    ...[...protectedResourcePage(server)].map(([path, page]) => [path, served(page)] as const),
    ...endpoints.flatMap((endpoint) => [...endpoint.pages]),
  ]);
  const { definition } = endpoints[0];
  const { trustProxy } = definition;
  const guards = new HttpGuards(definition);
  const refuse = (response: ServerResponse, { headers, ...refusal }: HttpError): void => {
    const { status, message, exceeded } = refusal;
    const address = clientOf(clientAddress(response.req, trustProxy));
    const by = exceeded && { exceeded: { ...exceeded, address } };
    refusals.report("http", { status, reason: message }, { ...by });
    const cors = guards.corsHeaders(response.req.headers.origin);
    sendError(response, { ...refusal, headers: { ...cors, ...headers } }, limits.bodyBytes);
  };
  return (request, response) => {
    const problem = headersProblem(request);
    const page = pageAt(pages, request);
    if (page !== undefined && problem === undefined) {
      return void recover(
        () => page(request, response),
        (error) =>
          failExchange(response, error, server.log, (failure) => refuse(response, failure)),
      );
    }
    refuse(response, refusalOfLost(server, request, trustProxy));
  };
}

/** Wraps a listener: it gets a request when it is known whether its client may send one, which others count, too. */
function counted(
  answer: RequestListener,
  server: RunningServer,
  { trustProxy }: NetworkDefinition,
): RequestListener {
  const rate = rateLimitOf(server);
  if (!rate.mayWait) return answer;
  return (request, response) => {
    const decided = rate.whenDecided(clientAddress(request, trustProxy));
    if (decided === undefined) return answer(request, response);
    void decided.then(() => {
      if (!response.destroyed) answer(request, response);
    });
  };
}

function bind(listener: Server | TlsServer, { host, port }: NetworkDefinition): Promise<Accepting> {
  let closed: Promise<unknown> | undefined;
  const stop = (): Promise<unknown> =>
    (closed ??= new Promise((resolve) => listener.close(resolve)));
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => {
      listener.off("error", reject);
      resolve({ port: (listener.address() as AddressInfo).port, stop });
    });
  });
}

async function close(
  listener: Server | TlsServer,
  accepting: Accepting,
  server: RunningServer,
  endpoints: readonly Endpoint[],
): Promise<void> {
  const notice = leave(server);
  if (notice !== undefined) {
    await notice;
    // Connections that sent a request meanwhile have closed after the answer.
    listener.closeIdleConnections();
    // Clients that connect after the notice are refused immediately, and try another replica.
    if (!endpoints.some(({ takesClientAnswers }) => takesClientAnswers))
      await brieflyAwait(accepting.stop());
  }
  for (const endpoint of endpoints) endpoint.stop();
  const deadline = setTimeout(() => listener.closeAllConnections(), drainMs + writeMs);
  await server.drain(drainMs);
  await Promise.all(endpoints.map((endpoint) => endpoint.answered()));
  // Until here, a running call could wait for an answer that its client sends on another connection.
  void accepting.stop();
  await server.close();
  await Promise.all(endpoints.map((endpoint) => endpoint.end()));
  await brieflyAwait(accepting.stop());
  listener.closeAllConnections();
  clearTimeout(deadline);
  await accepting.stop();
}

/** Waits for the end of some work, at most `writeMs`. */
async function brieflyAwait(work: Promise<unknown>): Promise<void> {
  await Promise.race([work, delay(writeMs, undefined, { ref: false })]);
}

/** The status and reason phrase for a request that is not HTTP or arrives too slowly. */
function statusOf({
  code,
  rawPacket,
}: Error & { code?: string; rawPacket?: Buffer }): [status: number, reason: string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "Request Timeout"];
  if (code !== "HPE_HEADER_OVERFLOW") return [400, "Bad Request"];
  const inFirstLine = rawPacket !== undefined && !rawPacket.includes("\n");
  return inFirstLine ? [414, "URI Too Long"] : [431, "Request Header Fields Too Large"];
}
