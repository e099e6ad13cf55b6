import { randomBytes } from "node:crypto";
import {
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
  type Server,
} from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import { toAuthInfo } from "../authentication/auth-info.js";
import { authorizedStreamsOf } from "./authorized-streams.js";
import type { RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "./definition.js";
import { sdkProblem } from "../engine/errors.js";
import { EventBudget, SessionEvents } from "./session-events.js";
import { Slots, type Idleness, type TakenSlot } from "./slots.js";
import { HttpEndpoint, type HttpRequest, type SessionServer } from "./endpoint.js";
import { networkLimits } from "./network-limits.js";
import { observeTransport } from "../connections/observed-transport.js";
import { isObject } from "../engine/request-parameters.js";
import type { MakeEndpoint } from "./transport.js";

/** Streamable HTTP with sessions for the older eras; the newest era has none. */
export const httpEndpointWithSessions: MakeEndpoint<HttpDefinition> = (server, http) =>
  new HttpEndpoint(server, http, new HttpSessions(server, http.resumable));

const handshakeProblem =
  "Invalid params: initialize needs protocolVersion, capabilities and clientInfo with name and version";

/** How long a client waits before it resumes a broken stream, in milliseconds. */
const retryMs = 1_000;

/**
 * The sessions of one endpoint, in memory. The SDK's transport serves one session. This class finds the
 * session of a request, checks its owner, limits the number of sessions, and ends unused ones.
 */
export class HttpSessions implements SessionServer {
  readonly #server: RunningServer;
  readonly #idleMs: number;
  readonly #sessions = new Map<string, Session>();
  readonly #slots: Slots;
  readonly #budget: EventBudget | undefined;

  /** @param resumable Whether clients can resume lost streams. */
  constructor(server: RunningServer, resumable: boolean) {
    const { sessions, sessionIdleMs } = { ...networkLimits, ...server.definition.limits };
    this.#server = server;
    this.#slots = new Slots(sessions);
    this.#idleMs = sessionIdleMs;
    const { metrics } = server;
    metrics?.gauge("mcp_server_sessions", "Open sessions.", () => this.#sessions.size);
    this.#budget = resumable ? new EventBudget() : undefined;
  }

  async answer(exchange: HttpRequest): Promise<Response | undefined> {
    const { request, parsedBody, authentication } = exchange;
    if (await isOfNewestEra(request, parsedBody)) return undefined;
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#open(exchange);
    const session = this.#sessions.get(id);
    // The id of another caller's session gets the same answer as an unknown one.
    if (session === undefined || session.principal !== authentication?.principal) {
      return jsonRpcError(404, "Session not found", -32001);
    }
    return session.answer(exchange);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #open(exchange: HttpRequest): Promise<Response> {
    const { parsedBody } = exchange;
    if (!isInitializeRequest(parsedBody)) {
      return isObject(parsedBody) && parsedBody["method"] === "initialize"
        ? jsonRpcError(400, handshakeProblem, -32602)
        : jsonRpcError(400, "Bad Request: Mcp-Session-Id header is required");
    }
    let session: Session | undefined;
    const slot = this.#slots.take({
      holder: exchange.holder,
      end: () => void session?.close(),
      idleness: () => session?.idleness ?? "inUse",
    });
    if (slot === undefined) {
      return jsonRpcError(503, "Too many sessions", -32000, { "retry-after": "60" });
    }
    try {
      session = await this.#connect(exchange, slot);
      return await session.answer(exchange);
    } finally {
      if (session?.id === undefined) {
        slot.release();
        await session?.close();
      }
    }
  }

  async #connect(
    { authentication, holder, address }: HttpRequest,
    slot: TakenSlot,
  ): Promise<Session> {
    const session: Session = await Session.connect(this.#server, {
      caller: authentication,
      holder,
      address,
      idleMs: this.#idleMs,
      slot,
      ...(this.#budget === undefined ? {} : { events: new SessionEvents(this.#budget) }),
      opened: (id) => void this.#sessions.set(id, session),
      closed: (id) => void this.#sessions.delete(id),
    });
    return session;
  }
}

interface SessionOptions {
  /** The caller who opens it. */
  readonly caller: Authentication | undefined;
  /** The client's principal or address. */
  readonly holder: string;
  /** The client's address; undefined if nothing records it. */
  readonly address: string | undefined;
  readonly slot: TakenSlot;
  readonly idleMs: number;
  /** Keeps events for replay; absent if clients cannot resume streams. */
  readonly events?: SessionEvents;
  opened(id: string): void;
  closed(id: string): void;
}

/** The session of one client of the older eras, from `initialize` until DELETE or until it is idle for too long. */
class Session {
  readonly principal: string | undefined;
  readonly #mcp: McpServer | Server;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #events: SessionEvents | undefined;
  readonly #slot: TakenSlot;
  readonly #idle: NodeJS.Timeout;
  /** The scopes of its requests that some item needs. */
  readonly #scopes = new Set<string>();
  readonly #itemScopes: readonly string[];
  #requests = 0;
  #running = 0;

  private constructor(
    mcp: McpServer | Server,
    transport: WebStandardStreamableHTTPServerTransport,
    { caller, slot, idleMs, events, closed }: SessionOptions,
    server: RunningServer,
  ) {
    this.#mcp = mcp;
    this.#transport = transport;
    this.principal = caller?.principal;
    this.#itemScopes = server.access?.scopes ?? [];
    const forget =
      caller &&
      authorizedStreamsOf(server).add(caller, {
        scopes: this.#scopes,
        end: () => void this.close(),
      });
    this.#events = events;
    this.#slot = slot;
    this.#idle = setTimeout(() => {
      if (this.isBusy) this.#idle.refresh();
      else void this.close();
    }, idleMs).unref();
    transport.onclose = () => {
      clearTimeout(this.#idle);
      forget?.();
      slot.release();
      events?.clear();
      if (this.id !== undefined) closed(this.id);
    };
  }

  static async connect(server: RunningServer, options: SessionOptions): Promise<Session> {
    const { definition, factory, log, observer } = server;
    const { opened, events, holder, caller, address } = options;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(16).toString("hex"),
      onsessioninitialized: opened,
      ...(events === undefined ? {} : { eventStore: events, retryInterval: retryMs }),
    });
    transport.onerror = (error) => log.debug("request refused", { error: sdkProblem(error) });
    const authInfo = caller && toAuthInfo(caller);
    const mcp = await factory({ era: "legacy", holder, address, ...(authInfo && { authInfo }) });
    const session = new Session(mcp, transport, options, server);
    await mcp.connect(transport);
    definition.limitQuestions?.(server, transport, holder);
    if (observer !== undefined) observeTransport(transport, observer, { transport: "http" });
    return session;
  }

  /** Undefined until `initialize` was accepted. */
  get id(): string | undefined {
    return this.#transport.sessionId;
  }

  /** Whether a request is being answered or a stream is open. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** A session that had no request after `initialize` was never used. */
  get idleness(): Idleness {
    if (this.isBusy) return "inUse";
    return this.#requests > 1 ? "idle" : "neverUsed";
  }

  async answer({ request, parsedBody, authentication, over }: HttpRequest): Promise<Response> {
    this.#requests += 1;
    this.#running += 1;
    this.#idle.refresh();
    this.#slot.use();
    for (const scope of this.#itemScopes) {
      if (authentication?.scopes.includes(scope)) this.#scopes.add(scope);
    }
    over.addEventListener("abort", () => {
      this.#running -= 1;
      this.#idle.refresh();
    });
    const lastEvent = request.headers.get("last-event-id");
    if (request.method === "GET" && lastEvent !== null && this.#events?.has(lastEvent) === false) {
      return jsonRpcError(400, "Bad Request: the event is unknown, or was too long ago");
    }
    return this.#transport.handleRequest(request, {
      parsedBody,
      ...(authentication === undefined ? {} : { authInfo: toAuthInfo(authentication) }),
    });
  }

  async close(): Promise<void> {
    await this.#mcp.close();
  }
}

/** Whether a request is of 2026-07-28. GET and DELETE have no body, so their version header decides. */
async function isOfNewestEra(request: Request, parsedBody: unknown): Promise<boolean> {
  if (request.method === "POST") return !(await isLegacyRequest(request, parsedBody));
  return (request.headers.get("mcp-protocol-version") ?? "") >= "2026-07-28";
}

function jsonRpcError(
  status: number,
  message: string,
  code = -32000,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message } }, { status, headers });
}
