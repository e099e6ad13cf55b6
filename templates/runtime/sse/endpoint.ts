import type { Endpoint, MakeEndpoint, Page } from "../http/transport.js";
import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type McpServer,
  type RequestId,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import { toAuthInfo } from "../authentication/auth-info.js";
import { trackRequests } from "../connections/connection.js";
import { guardMessages } from "../connections/guarded-messages.js";
import type { RunningServer } from "../server/create-server.js";
import type { SseDefinition } from "../http/definition.js";
import type { Awaitable } from "../engine/awaitable.js";
import { sdkProblem } from "../engine/errors.js";
import { jsonOf } from "../engine/long-texts.js";
import { Slots } from "../http/slots.js";
import { JsonBodies } from "../http/body.js";
import { answerMemory, connectionOf } from "../http/answer-memory.js";
import { connectionMemory } from "../memory/connection-memory.js";
import { pathOf } from "../http/request-path.js";
import type { HttpError } from "../http/transport.js";
import { MessageScopes, TAKEN_ID } from "../http/message-scopes.js";
import { tooManyClients } from "../http/gate.js";
import { HttpGate } from "../http/node-gate.js";
import { observeTransport } from "../connections/observed-transport.js";
import { WaitGroup } from "../engine/wait-group.js";
import { writeMs } from "../start/transport.js";

/** Time between two comments, which keep proxies from closing a silent stream, in milliseconds. */
const keepAliveMs = 15_000;

/** Most bytes that a client may leave unread. With more it is disconnected, since it would fill the memory. */
const mostUnread = 64 * 1024 * 1024;

/**
 * HTTP with server-sent events, the transport of 2024-11-05: a stream for messages of the server, and a
 * second path for messages of the client. The SDK no longer has this transport.
 */
export const sseEndpoint: MakeEndpoint<SseDefinition> = (server, definition) =>
  new SseEndpoint(server, definition);

interface SseClient {
  readonly transport: SseTransport;
  readonly mcp: McpServer | Server;
  readonly unanswered: WaitGroup<RequestId>;
  /** The caller who opened the stream; undefined if callers are not authenticated. */
  readonly caller: Authentication | undefined;
  readonly messages: MessageScopes;
}

class SseEndpoint implements Endpoint {
  readonly definition: SseDefinition;
  readonly takesClientAnswers = true;
  readonly pages: ReadonlyMap<string, Page>;
  readonly #server: RunningServer;
  readonly #gate: HttpGate;
  readonly #bodies: JsonBodies;
  readonly #slots: Slots;
  readonly #clients = new Map<string, SseClient>();

  constructor(server: RunningServer, definition: SseDefinition) {
    this.definition = definition;
    this.#server = server;
    this.#gate = new HttpGate(server, definition);
    this.#bodies = new JsonBodies(this.#gate, server.limits, server.definition);
    this.#slots = new Slots(server.limits.sessions);
    const labels = { transport: "sse" };
    server.metrics?.gauge(
      "mcp_server_clients",
      "Connected clients.",
      () => this.#clients.size,
      labels,
    );
    this.pages = new Map<string, Page>([
      [definition.path, (request, response) => this.#guarded(request, response, ["GET"])],
      [definition.messagesPath, (request, response) => this.#guarded(request, response, ["POST"])],
    ]);
  }

  stop(): void {
    this.#gate.close();
    this.#bodies.stop();
  }

  async answered(): Promise<void> {
    const clients = [...this.#clients.values()];
    await Promise.all(clients.map(({ unanswered }) => unanswered.doneWithin(writeMs)));
  }

  async end(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(({ mcp }) => mcp.close()));
  }

  #guarded(
    request: IncomingMessage,
    response: ServerResponse,
    methods: readonly ["GET" | "POST"],
  ): Awaitable<void> {
    if (!this.#gate.admitOrRefuse(request, response, methods)) return;
    const [method] = methods;
    return method === "GET" ? this.#open(request, response) : this.#receive(request, response);
  }

  /** Opens a client's stream, whose first event has the URL for the client's messages. */
  async #open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sender = await this.#gate.identifyOrRefuse(request, response);
    if (sender.kind === "refused" || response.destroyed) return;
    const { caller } = sender;
    const holder = this.#gate.holderOf(request, caller);
    const slot = this.#slots.take({ holder, end: () => response.destroy() });
    if (slot === undefined) {
      const refusal = tooManyClients(this.#server.limits);
      return this.#gate.sendError(request, response, refusal, { caller });
    }
    response.on("close", slot.release);
    const { definition, factory, log, observer } = this.#server;
    const id = randomBytes(16).toString("hex");
    const transport = new SseTransport(response, {
      messagesUrl: `${relativePath(pathOf(request), this.definition.messagesPath)}?sessionId=${id}`,
      headers: this.#gate.corsHeaders(request),
    });
    const unanswered = new WaitGroup<RequestId>();
    const address = this.#gate.callerAddressOf?.(request);
    const authInfo = caller && toAuthInfo(caller);
    const memoryOf = connectionMemory(
      transport,
      answerMemory,
      connectionOf(request.socket, this.#gate.addressOf(request), this.#gate.reportNoMemory),
    );
    const client = { holder, address, memoryOf, ...(authInfo && { authInfo }) };
    const mcp = await factory({ era: "legacy", ...client });
    const messages = new MessageScopes();
    messages.follow(transport);
    this.#clients.set(id, { transport, mcp, unanswered, caller, messages });
    transport.onerror = (error) => log.warning("protocol error", { error: sdkProblem(error) });
    transport.onclose = () => void this.#clients.delete(id);
    response.on(
      "close",
      this.#gate.streams.follow(request, caller, () => response.end()),
    );
    await mcp.connect(transport);
    trackRequests(transport, unanswered);
    definition.limitQuestions?.(this.#server, transport, holder);
    if (observer !== undefined) observeTransport(transport, observer, { transport: "sse" });
    guardMessages(transport, log);
  }

  /** Takes a message of a client; the answer comes on the client's stream. */
  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sender = await this.#gate.identifyOrRefuse(request, response);
    if (sender.kind === "refused" || response.destroyed) return;
    const { caller } = sender;
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const client = this.#clients.get(searchParams.get("sessionId") ?? "");
    // The id of another caller's stream gets the same answer as an unknown one.
    if (client === undefined || client.caller?.principal !== caller?.principal) {
      const unknown = { status: 404, message: "Session not found", code: -32001 };
      return this.#gate.sendError(request, response, unknown);
    }
    const body = await this.#bodies.read(request, response);
    if (body === undefined) return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(body.parsedBody);
    } catch {
      const problem = "Invalid Request: the body is no JSON-RPC message";
      const invalid = { status: 400, message: problem, code: -32600 };
      return this.#gate.sendError(request, response, invalid);
    }
    const refusal = this.#refusalOf(message, client, caller);
    if (refusal !== undefined) {
      return this.#gate.sendError(request, response, refusal, { body: message, caller });
    }
    response.writeHead(202, this.#gate.corsHeaders(request)).end("Accepted");
    const sharedCaller = withScopesOf(caller, client.caller);
    if (sharedCaller !== undefined) client.messages.add(message, sharedCaller.scopes);
    const extra = sharedCaller && { authInfo: toAuthInfo(sharedCaller) };
    client.transport.onmessage?.(message, extra);
  }

  /** Why a message of a client is refused; undefined if it is not. */
  #refusalOf(
    message: JSONRPCMessage,
    client: SseClient,
    caller: Authentication | undefined,
  ): HttpError | undefined {
    const sharedCaller = withScopesOf(caller, client.caller);
    if (sharedCaller === undefined) return undefined;
    const unmet =
      this.#server.access?.unmetScopes(message, sharedCaller) ??
      client.messages.unmetBy(message, sharedCaller.scopes);
    if (unmet !== undefined) return this.#gate.insufficientScope(unmet);
    return client.messages.hasTakenId(message) ? TAKEN_ID : undefined;
  }
}

/**
 * The sender of a message with those of its scopes that the opener of its stream has, too: what the opener may not see
 * must not be sent to the stream. Both have the same principal, but maybe not the same token.
 */
function withScopesOf(
  sender: Authentication | undefined,
  opener: Authentication | undefined,
): Authentication | undefined {
  if (sender === undefined || opener === undefined) return sender;
  return { ...sender, scopes: sender.scopes.filter((scope) => opener.scopes.includes(scope)) };
}

interface SseTransportOptions {
  /** The path and query to which the client posts its messages. */
  readonly messagesUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The SDK's transport over one stream of events. */
class SseTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #response: ServerResponse;
  readonly #options: SseTransportOptions;

  constructor(response: ServerResponse, options: SseTransportOptions) {
    this.#response = response;
    this.#options = options;
  }

  start(): Promise<void> {
    const response = this.#response;
    const { messagesUrl, headers } = this.#options;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      ...headers,
    });
    response.write(`event: endpoint\ndata: ${messagesUrl}\n\n`);
    const timer = setInterval(() => response.write(": keepalive\n\n"), keepAliveMs).unref();
    response.on("close", () => {
      clearInterval(timer);
      this.onclose?.();
    });
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#response.writableEnded || this.#response.destroyed) {
      return Promise.reject(new Error("the client is gone"));
    }
    const event = jsonOf(message, (short) => `event: message\ndata: ${JSON.stringify(short)}\n\n`);
    // Unlike strings, bytes that wait for a slow client are no load for the garbage collector.
    const chunks = typeof event === "string" ? [Buffer.from(event)] : event;
    this.#response.cork();
    for (const chunk of chunks) this.#response.write(chunk);
    this.#response.uncork();
    if (this.#response.writableLength > mostUnread) this.#response.destroy();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#response.end();
    return Promise.resolve();
  }
}

/** The reference from one path to another that also leads there below a prefix, which a proxy may have stripped from both. */
function relativePath(from: string, to: string): string {
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  return posix.relative(folder, to) || "./";
}
