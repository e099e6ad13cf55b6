import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import type { AddressInfo, Socket } from "node:net";
import { isJsonContentType } from "@modelcontextprotocol/server";
import type { RunningServer } from "./create-server.js";
import type { HttpDefinition } from "./definition.js";
import { describeError } from "./errors.js";
import {
  parseJsonBody,
  readBody,
  sendError,
  sendFetchResponse,
  toFetchRequest,
} from "./http-exchange.js";
import { bracketed, HttpGuards, isLoopback } from "./http-guards.js";
import { HttpRateLimit } from "./http-rate-limit.js";
import { defaultLimits } from "./limits.js";
import { drainMs, type RunningHttp } from "./transport.js";

/** Node's own limits leave a slow client minutes; these are in milliseconds. */
const socketLimits = {
  headersTimeout: 8_000,
  requestTimeout: 25_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
const mostConnections = 1_024;

/**
 * Serves the protocol over Streamable HTTP, without sessions.
 * @throws Error when the address cannot be listened on
 */
export async function serveHttp(server: RunningServer, http: HttpDefinition): Promise<RunningHttp> {
  if (!isLoopback(http.host)) {
    server.log.warning("other machines can call this server, without authentication", {
      host: http.host,
    });
  }
  const endpoint = new HttpEndpoint(server, http);
  const listener = createServer(socketLimits, (request, response) => {
    void endpoint.handle(request, response);
  });
  listener.maxConnections = mostConnections;
  listener.on("connect", (_request, socket: Socket) => refuseConnect(socket));
  listener.on("clientError", refuseMalformed);
  await listen(listener, http);
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://${bracketed(http.host)}:${port}${http.path}`,
    close: () => close(listener, server, endpoint),
  };
}

function listen(listener: Server, { host, port }: HttpDefinition): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => {
      listener.off("error", reject);
      resolve();
    });
  });
}

async function close(
  listener: Server,
  server: RunningServer,
  endpoint: HttpEndpoint,
): Promise<void> {
  const closed = new Promise((resolve) => listener.close(resolve));
  endpoint.stop();
  const deadline = setTimeout(() => listener.closeAllConnections(), drainMs + 1_000);
  await server.drain(drainMs);
  await endpoint.answered();
  await server.close();
  await endpoint.streamsEnded();
  listener.closeAllConnections();
  clearTimeout(deadline);
  await closed;
}

/** One path of the server, with everything that is checked before the protocol has its turn. */
class HttpEndpoint {
  #stopping = false;
  readonly #server: RunningServer;
  readonly #http: HttpDefinition;
  readonly #guards: HttpGuards;
  readonly #rate: HttpRateLimit;
  readonly #bodyBytes: number;
  readonly #uploads = new Set<IncomingMessage>();
  readonly #pending = new Set<Promise<void>>();
  readonly #streams = new Set<Promise<void>>();

  constructor(server: RunningServer, http: HttpDefinition) {
    this.#server = server;
    this.#http = http;
    this.#guards = new HttpGuards(http);
    const { bodyBytes, ratePerSecond } = { ...defaultLimits, ...server.definition.limits };
    this.#rate = new HttpRateLimit(ratePerSecond);
    this.#bodyBytes = bodyBytes;
  }

  /** Refuses new requests from now on, and cuts those that have not arrived whole: nothing runs for them. */
  stop(): void {
    this.#stopping = true;
    for (const request of this.#uploads) request.destroy();
  }

  /** Resolves when every request that was accepted is answered; subscriptions do not count. */
  async answered(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** Resolves when every subscription has ended. */
  async streamsEnded(): Promise<void> {
    await Promise.all(this.#streams);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split("?", 1)[0];
    if (path === this.#http.health) return this.#answerHealth(request, response);
    if (this.#refuse(request, response, path)) return;
    const isSubscription = request.headers["mcp-method"] === "subscriptions/listen";
    const group = isSubscription ? this.#streams : this.#pending;
    const exchange = this.#exchange(request, response).catch((error: unknown) => {
      this.#server.log.error("request failed", { error: describeError(error) });
      if (response.headersSent) response.destroy();
      else this.#sendError(request, response, 500, "Internal error", {}, -32603);
    });
    group.add(exchange);
    await exchange;
    group.delete(exchange);
  }

  #answerHealth(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== "GET" && request.method !== "HEAD") {
      const allow = { allow: "GET, HEAD" };
      return this.#sendError(request, response, 405, "Method not allowed", allow);
    }
    const status = this.#stopping ? 503 : 200;
    const body = JSON.stringify({ status: this.#stopping ? "stopping" : "ok" });
    response.writeHead(status, { "content-type": "application/json" });
    response.end(request.method === "HEAD" ? undefined : body);
  }

  /** Answers a request that must not reach the protocol, and says whether it did. */
  #refuse(request: IncomingMessage, response: ServerResponse, path: string | undefined): boolean {
    const { method, headers } = request;
    const refuse = (
      ...answer: [status: number, message: string, Record<string, string>?]
    ): true => {
      this.#sendError(request, response, ...answer);
      return true;
    };
    if (path !== this.#http.path) return refuse(404, "Not found");
    const wait = this.#rate.take(request.socket.remoteAddress ?? "");
    if (wait > 0) return refuse(429, "Too many requests", { "retry-after": String(wait) });
    if (!this.#guards.allowsHost(headers.host)) return refuse(403, "Host not allowed");
    if (!this.#guards.allowsOrigin(headers.origin)) return refuse(403, "Origin not allowed");
    if (this.#stopping) return refuse(503, "The server is stopping", { connection: "close" });
    if (method === "OPTIONS" && this.#answerPreflight(request, response)) return true;
    if (method !== "POST") return refuse(405, "Method not allowed", { allow: "POST" });
    if (!isIdentity(headers["content-encoding"]))
      return refuse(415, "Content encoding not supported");
    if (!isJsonUtf8(headers["content-type"]))
      return refuse(415, "Content type must be application/json");
    return false;
  }

  #answerPreflight({ headers }: IncomingMessage, response: ServerResponse): boolean {
    const answer = this.#guards.preflightHeaders(
      headers.origin,
      headers["access-control-request-headers"],
    );
    if (answer === undefined) return false;
    response.writeHead(204, answer).end();
    return true;
  }

  /** Answers with an error that pages of the manifest's origins can read. */
  #sendError(
    { headers }: IncomingMessage,
    response: ServerResponse,
    status: number,
    message: string,
    extraHeaders: Readonly<Record<string, string>> = {},
    code?: number,
  ): void {
    const cors = this.#guards.corsHeaders(headers.origin);
    sendError(response, status, message, { ...cors, ...extraHeaders }, code);
  }

  async #exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    this.#uploads.add(request);
    const body = await readBody(request, this.#bodyBytes).catch(() => null);
    this.#uploads.delete(request);
    if (body === null) return void response.destroy();
    if (body === undefined) {
      const close = { connection: "close" };
      return this.#sendError(request, response, 413, "Request body too large", close);
    }
    let parsedBody: unknown;
    try {
      parsedBody = parseJsonBody(body);
    } catch {
      const message = "Parse error: the body is not JSON in UTF-8";
      return this.#sendError(request, response, 400, message, {}, -32700);
    }
    const answer = await this.#server.fetch(toFetchRequest(request, gone.signal), { parsedBody });
    await sendFetchResponse(answer, response, this.#guards.corsHeaders(request.headers.origin));
    await finished(response).catch(() => undefined);
  }
}

function isIdentity(encoding: string | undefined): boolean {
  return encoding === undefined || encoding.toLowerCase() === "identity";
}

/** JSON is UTF-8; a body that says it is anything else is not read as if it were. */
function isJsonUtf8(contentType: string | undefined): boolean {
  if (contentType === undefined || !isJsonContentType(contentType)) return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
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
