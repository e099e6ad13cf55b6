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
import type { RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "./definition.js";
import { memoryOfRequest, takeLongTexts } from "./request-data.js";
import { sdkProblem } from "../engine/errors.js";
import { hasAll, MessageScopes, TAKEN_ID } from "./message-scopes.js";
import { EventBudget, SessionEvents } from "./session-events.js";
import { resumedAnswer } from "./resumed-streams.js";
import { SessionStreams } from "./session-streams.js";
import { Slots, type Idleness, type TakenSlot } from "./slots.js";
import { HttpEndpoint } from "./endpoint.js";
import type { HttpRequest, SessionServer } from "./protocol-answers.js";
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
    const { sessions, sessionIdleMs } = server.limits;
    this.#server = server;
    this.#slots = new Slots(sessions);
    this.#idleMs = sessionIdleMs;
    const { metrics } = server;
    metrics?.gauge("mcp_server_sessions", "Open sessions.", () => this.#sessions.size);
    this.#budget = resumable ? new EventBudget() : undefined;
  }

  async answer(exchange: HttpRequest): Promise<Response | undefined> {
    const { request, parsedBody } = exchange;
    if (await isOfNewestEra(request, parsedBody)) return undefined;
    if (!request.headers.has("mcp-session-id")) return this.#open(exchange);
    const session = this.#sessionOf(exchange);
    return session?.answer(exchange) ?? jsonRpcError(404, "Session not found", -32001);
  }

  unmetScopes(exchange: SessionMessage): readonly string[] | undefined {
    return this.#sessionOf(exchange)?.unmetScopes(exchange);
  }

  /** The session that a request names. The id of another caller's session is answered like an unknown one. */
  #sessionOf({ request, authentication }: SessionMessage): Session | undefined {
    const session = this.#sessions.get(request.headers.get("mcp-session-id") ?? "");
    return session?.principal === authentication?.principal ? session : undefined;
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
      const { authentication, holder } = exchange;
      const sender = { address: holder, principal: authentication?.principal };
      const limit = this.#server.refusals.exceed({ limit: "sessions", ...sender });
      return jsonRpcError(503, `Too many sessions (${limit})`, -32000, { "retry-after": "60" });
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

/** The part of a request that says which session and which messages it concerns, and who sends it. */
type SessionMessage = Parameters<SessionServer["unmetScopes"]>[0];

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
  readonly #messages: MessageScopes;
  readonly #streams: SessionStreams;
  #requests = 0;
  #running = 0;

  private constructor(
    mcp: McpServer | Server,
    transport: WebStandardStreamableHTTPServerTransport,
    { caller, slot, idleMs, events, closed }: SessionOptions,
    messages: MessageScopes,
    streams: SessionStreams,
  ) {
    this.#mcp = mcp;
    this.#transport = transport;
    this.principal = caller?.principal;
    this.#messages = messages;
    this.#streams = streams;
    this.#events = events;
    this.#slot = slot;
    this.#idle = setTimeout(() => {
      if (this.isBusy) this.#idle.refresh();
      else void this.close();
    }, idleMs).unref();
    transport.onclose = () => {
      clearTimeout(this.#idle);
      slot.release();
      events?.clear();
      if (this.id !== undefined) closed(this.id);
    };
  }

  static async connect(server: RunningServer, options: SessionOptions): Promise<Session> {
    const { definition, factory, log, observer } = server;
    const { opened, events, holder, caller, address } = options;
    const messages = new MessageScopes();
    const streams = new SessionStreams(server, messages, events);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(16).toString("hex"),
      onsessioninitialized: opened,
      ...(events === undefined ? {} : { eventStore: streams, retryInterval: retryMs }),
    });
    transport.onerror = (error) => log.debug("request refused", { error: sdkProblem(error) });
    if (caller !== undefined) {
      streams.follow(transport);
      messages.follow(transport);
    }
    const authInfo = caller && toAuthInfo(caller);
    const client = { holder, address, memoryOf: memoryOfRequest };
    const mcp = await factory({ era: "legacy", ...client, ...(authInfo && { authInfo }) });
    const session = new Session(mcp, transport, options, messages, streams);
    await mcp.connect(transport);
    // Events that are kept outlive the request, whose long texts do not.
    if (events === undefined) takeLongTexts(transport);
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

  /** The scopes that a request needs because of the call or the stream that it concerns, if its caller lacks one. */
  unmetScopes({
    request,
    parsedBody,
    authentication,
  }: SessionMessage): readonly string[] | undefined {
    if (authentication === undefined) return undefined;
    const { scopes } = authentication;
    const toResume = this.#streams.neededToResume(request);
    return hasAll(scopes, toResume) ? this.#messages.unmetBy(parsedBody, scopes) : toResume;
  }

  async answer(exchange: HttpRequest): Promise<Response> {
    const { request, authentication, over } = exchange;
    this.#requests += 1;
    this.#running += 1;
    this.#idle.refresh();
    this.#slot.use();
    over.addEventListener("abort", () => {
      this.#running -= 1;
      this.#idle.refresh();
    });
    const lastEvent = request.headers.get("last-event-id");
    if (request.method === "GET" && lastEvent !== null && this.#events?.has(lastEvent) === false) {
      return jsonRpcError(400, "Bad Request: the event is unknown, or was too long ago");
    }
    const answer =
      authentication === undefined
        ? this.#transport.handleRequest(request, { parsedBody: exchange.parsedBody })
        : this.#answerCaller(exchange, authentication);
    const resumes = request.method === "GET" && lastEvent !== null;
    return resumes ? resumedAnswer(await answer) : answer;
  }

  /** Answers a request of a caller, who may have sent other requests with another token. */
  async #answerCaller(
    { request, parsedBody }: HttpRequest,
    authentication: Authentication,
  ): Promise<Response> {
    // The SDK would send the answer to the earlier request to the later one.
    if (this.#messages.hasTakenId(parsedBody)) {
      return jsonRpcError(TAKEN_ID.status, TAKEN_ID.message, TAKEN_ID.code);
    }
    const { scopes } = authentication;
    this.#messages.add(parsedBody, scopes);
    const response = await this.#streams.handle(request, scopes, () =>
      this.#transport.handleRequest(request, {
        parsedBody,
        authInfo: toAuthInfo(authentication),
      }),
    );
    if (!response.ok) this.#messages.remove(parsedBody);
    return response;
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
