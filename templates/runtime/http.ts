import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import type { RunningServer } from "./create-server.js";
import type { HttpDefinition } from "./definition.js";
import { describeError } from "./errors.js";
import {
  isIdentity,
  isJsonUtf8,
  parseJsonBody,
  readBody,
  sendError,
  sendFetchResponse,
  toFetchRequest,
} from "./http-exchange.js";
import { HttpGuards } from "./http-guards.js";
import { HttpRateLimit } from "./http-rate-limit.js";
import { defaultLimits } from "./limits.js";
import type { Endpoint, MakeEndpoint, Page } from "./transport.js";

/** A request that has passed the guards, with its JSON body if it has one. */
export interface HttpRequest {
  readonly request: Request;
  readonly parsedBody?: unknown;
  /** Who sent it; undefined where nobody has to say who they are. */
  readonly principal?: string;
  /** Fires when the exchange is over, whether the answer was written or the client went away. */
  readonly over: AbortSignal;
}

/** Serves clients of the older eras that have a session: `HttpSessions` of `http-sessions.ts`. */
export interface SessionServer {
  /** The answer to a request that belongs to a session or opens one; undefined where it does neither. */
  answer(request: HttpRequest): Promise<Response | undefined>;
  /** Ends every session. */
  close(): Promise<void>;
}

/** Streamable HTTP without sessions: each request stands for itself. */
export const httpEndpoint: MakeEndpoint<HttpDefinition> = (server, http) =>
  new HttpEndpoint(server, http);

/** One path of a listener, with everything that is checked before the protocol has its turn. */
export class HttpEndpoint implements Endpoint {
  readonly definition: HttpDefinition;
  readonly pages: ReadonlyMap<string, Page>;
  #stopping = false;
  readonly #server: RunningServer;
  readonly #sessions: SessionServer | undefined;
  readonly #allowedMethods: readonly string[];
  readonly #guards: HttpGuards;
  readonly #rate: HttpRateLimit;
  readonly #bodyBytes: number;
  readonly #uploads = new Set<IncomingMessage>();
  readonly #pending = new Set<Promise<void>>();
  readonly #streams = new Set<Promise<void>>();

  constructor(server: RunningServer, http: HttpDefinition, sessions?: SessionServer) {
    this.definition = http;
    this.pages = new Map<string, Page>([
      [http.path, (request, response) => void this.handle(request, response)],
      [http.health, (request, response) => this.#answerHealth(request, response)],
    ]);
    this.#server = server;
    this.#sessions = sessions;
    this.#allowedMethods = sessions === undefined ? ["POST"] : ["GET", "POST", "DELETE"];
    this.#guards = new HttpGuards(http);
    const { bodyBytes, ratePerSecond } = { ...defaultLimits, ...server.definition.limits };
    this.#rate = new HttpRateLimit(ratePerSecond);
    this.#bodyBytes = bodyBytes;
  }

  stop(): void {
    this.#stopping = true;
    for (const request of this.#uploads) request.destroy();
  }

  async answered(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async end(): Promise<void> {
    await this.#sessions?.close();
    await Promise.all(this.#streams);
  }

  /** Answers a request to the endpoint's path. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#refuse(request, response)) return;
    const group = isStream(request) ? this.#streams : this.#pending;
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
  #refuse(request: IncomingMessage, response: ServerResponse): boolean {
    const { method = "", headers } = request;
    const refuse = (
      ...answer: [status: number, message: string, Record<string, string>?]
    ): true => {
      this.#sendError(request, response, ...answer);
      return true;
    };
    const wait = this.#rate.take(request.socket.remoteAddress ?? "");
    if (wait > 0) return refuse(429, "Too many requests", { "retry-after": String(wait) });
    if (!this.#guards.allowsHost(headers.host)) return refuse(403, "Host not allowed");
    if (!this.#guards.allowsOrigin(headers.origin)) return refuse(403, "Origin not allowed");
    if (this.#stopping) return refuse(503, "The server is stopping", { connection: "close" });
    if (method === "OPTIONS" && this.#answerPreflight(request, response)) return true;
    if (!this.#allowedMethods.includes(method)) {
      return refuse(405, "Method not allowed", { allow: this.#allowedMethods.join(", ") });
    }
    if (method !== "POST") return false;
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
      this.#allowedMethods,
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
    const over = new AbortController();
    response.on("close", () => over.abort());
    const body = request.method === "POST" ? await this.#readJson(request, response) : {};
    if (body === undefined) return;
    const fetchRequest = toFetchRequest(request, over.signal);
    const answer =
      (await this.#sessions?.answer({ request: fetchRequest, ...body, over: over.signal })) ??
      (await this.#server.fetch(fetchRequest, body));
    await sendFetchResponse(answer, response, this.#guards.corsHeaders(request.headers.origin));
    await finished(response).catch(() => undefined);
  }

  /** The request's JSON body; undefined where there is none to be had, and the request is answered. */
  async #readJson(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly parsedBody?: unknown } | undefined> {
    this.#uploads.add(request);
    const body = await readBody(request, this.#bodyBytes).catch(() => null);
    this.#uploads.delete(request);
    if (body === null) return void response.destroy();
    if (body === undefined) {
      const close = { connection: "close" };
      return this.#sendError(request, response, 413, "Request body too large", close) as undefined;
    }
    try {
      return { parsedBody: parseJsonBody(body) };
    } catch {
      const message = "Parse error: the body is not JSON in UTF-8";
      return this.#sendError(request, response, 400, message, {}, -32700) as undefined;
    }
  }
}

/** Whether the answer goes on until one side ends it. */
function isStream({ method, headers }: IncomingMessage): boolean {
  return method === "GET" || headers["mcp-method"] === "subscriptions/listen";
}
