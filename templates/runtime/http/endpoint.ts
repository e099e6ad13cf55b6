import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import type { Authentication } from "../authentication/authentication.js";
import type { RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "./definition.js";
import type { Awaitable } from "../engine/awaitable.js";
import type { Engine } from "../engine/engine.js";
import { JsonBodies } from "./body.js";
import { isEventStream, sendFetchResponse, toFetchRequest } from "./exchange.js";
import { HttpFastPath, type ReceivedRequest } from "../fast-path/http.js";
import { HttpGate } from "./node-gate.js";
import { observeAnswer } from "./observation.js";
import type { ResponseMemory } from "./answer-memory.js";
import { someTurns } from "../memory/budget.js";
import { rememberMemory } from "./request-data.js";
import { healthPage } from "./pages.js";
import { Slots } from "./slots.js";
import { answerForm, type AnswerForm } from "./accept.js";
import { collectedAnswer } from "./collected-answer.js";
import { keepAlive } from "./slow-answers.js";
import { requestIdMember } from "../engine/request-parameters.js";
import { subscriptionRefusal } from "../connections/subscription-limit.js";
import { LongTexts } from "../engine/long-texts.js";
import type { Limits } from "../engine/limits.js";
import type { Endpoint, MakeEndpoint, Page } from "./transport.js";

/** A request that has passed the guards, with its JSON body if it has one. */
export interface HttpRequest {
  readonly request: Request;
  readonly parsedBody?: unknown;
  /** The authenticated caller; undefined where callers are not authenticated. */
  readonly authentication?: Authentication | undefined;
  /** The name under which the client's sessions, subscriptions and questions are counted. */
  readonly holder: string;
  /** The client's address; undefined if nothing records it. */
  readonly address?: string | undefined;
  /** Aborted when the exchange is over: its answer was written, or the client has disconnected. */
  readonly over: AbortSignal;
}

/** Serves clients of the older eras that have a session. */
export interface SessionServer {
  /** The answer to a request that belongs to a session or opens one; undefined for other requests. */
  answer(request: HttpRequest): Promise<Response | undefined>;
  /** The scopes that a request needs because of what it concerns in its session, if its caller lacks one. */
  unmetScopes(
    request: Pick<HttpRequest, "parsedBody" | "authentication"> & {
      readonly request: Pick<Request, "headers">;
    },
  ): readonly string[] | undefined;
  /** Ends every session. */
  close(): Promise<void>;
}

/**
 * How many copies of a result are in memory until it is written: usually its bytes. Where streams are resumable, the SDK
 * makes its JSON, too.
 */
const copies = { usual: 1, resumable: 2 };

/** Streamable HTTP without sessions: each request is independent. */
export const httpEndpoint: MakeEndpoint<HttpDefinition> = (server, http) =>
  new HttpEndpoint(server, http);

/** Serves an HTTP endpoint. It checks each request before the protocol's own checks. */
export class HttpEndpoint implements Endpoint {
  readonly definition: HttpDefinition;
  readonly pages: ReadonlyMap<string, Page>;
  readonly #server: RunningServer;
  readonly #sessions: SessionServer | undefined;
  readonly #methods: readonly string[];
  readonly #gate: HttpGate;
  readonly #bodies: JsonBodies;
  readonly #fastPath: HttpFastPath | undefined;
  readonly #takePage: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  readonly #subscriptions: Slots;
  /** Undefined if nothing records addresses. */
  readonly #addressOf: ((request: IncomingMessage) => string) | undefined;
  readonly #pending = new Set<Promise<void>>();
  readonly #streams = new Set<Promise<void>>();

  constructor(server: RunningServer, http: HttpDefinition, sessions?: SessionServer) {
    this.definition = http;
    this.#server = server;
    this.#sessions = sessions;
    this.#methods = sessions === undefined ? ["POST"] : ["GET", "POST", "DELETE"];
    this.#gate = new HttpGate(server, http);
    this.#addressOf = this.#gate.recordedAddressOf;
    this.pages = this.#pages();
    this.#takePage = server.definition.createPage?.(this.#gate, server, http);
    const { limits } = server;
    this.#subscriptions = new Slots(limits.subscriptions);
    this.#bodies = new JsonBodies(this.#gate, limits, server.definition);
    this.#fastPath = server.fastEngine && this.#createFastPath(server.fastEngine, limits);
  }

  #pages(): ReadonlyMap<string, Page> {
    const { path, health, ready, metrics } = this.definition;
    const { metricsPage, readyPage } = this.#server.definition;
    return new Map<string, Page>([
      [path, (request, response) => this.#handle(request, response)],
      [health, healthPage(this.#gate, this.#server)],
      ...(ready === undefined || readyPage === undefined
        ? []
        : [[ready, readyPage(this.#gate, this.#server)] as const]),
      ...(metrics === undefined || metricsPage === undefined
        ? []
        : [[metrics, metricsPage(this.#gate, this.#server)] as const]),
    ]);
  }

  #createFastPath(engine: Engine, { bodyBytes, elements }: Limits): HttpFastPath {
    return new HttpFastPath(engine, {
      observer: this.#server.observer,
      legacy: this.#sessions === undefined && engine.definition.protocol.legacy === "serve",
      path: this.definition.path,
      // A longer body may hold too many members, so they are counted before it is parsed.
      bodyBytes: Math.min(bodyBytes, 2 * elements),
      addressOf: this.#addressOf,
      memoryOf: (response) => this.#gate.memoryOf(response),
      replay: (request, response, received) => void this.#serve(request, response, received),
      fail: (request, response, error) => this.#gate.fail(request, response, error),
    });
  }

  get takesClientAnswers(): boolean {
    return this.#sessions !== undefined;
  }

  stop(): void {
    this.#gate.close();
    this.#fastPath?.stop();
    this.#bodies.stop();
  }

  async answered(): Promise<void> {
    await this.#fastPath?.answered();
    await Promise.allSettled(this.#pending);
  }

  async end(): Promise<void> {
    await this.#sessions?.close();
    await Promise.all(this.#streams);
  }

  /** Answers a request to the endpoint's path. */
  #handle(request: IncomingMessage, response: ServerResponse): Awaitable<void> {
    if (this.#takePage?.(request, response)) return;
    if (!this.#gate.admitOrRefuse(request, response, this.#methods)) return;
    if (response.socket !== null) return this.#identify(request, response);
    return this.#untilDone(
      answersBefore(response).then(() => {
        if (!response.destroyed && !request.destroyed) return this.#identify(request, response);
      }),
    );
  }

  #identify(request: IncomingMessage, response: ServerResponse): Awaitable<void> {
    if (this.#gate.isOpen) return this.#take(request, response);
    return this.#untilDone(
      this.#gate.identifyOrRefuse(request, response).then((sender) => {
        // The client may have disconnected while it was authenticated.
        if (sender.kind === "refused" || response.destroyed) return;
        this.#take(request, response, sender.caller);
      }),
    );
  }

  /** Makes {@link answered} wait for a part of an exchange. */
  async #untilDone(part: Promise<void>): Promise<void> {
    this.#pending.add(part);
    try {
      await part;
    } finally {
      this.#pending.delete(part);
    }
  }

  #take(request: IncomingMessage, response: ServerResponse, caller?: Authentication): void {
    if (this.#fastPath?.take(request, response, caller)) return;
    void this.#serve(request, response, { caller });
  }

  /** Answers an admitted request through a session or the SDK. */
  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    received: ReceivedRequest,
  ): Promise<void> {
    const exchanges = isStream(request) ? this.#streams : this.#pending;
    const exchange = this.#exchange(request, response, received).catch((error: unknown) =>
      this.#gate.fail(request, response, error),
    );
    exchanges.add(exchange);
    await exchange;
    exchanges.delete(exchange);
  }

  async #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    { body: bytes, startedAt: arrived, outcome, caller, memory: known }: ReceivedRequest,
  ): Promise<void> {
    const over = new AbortController();
    response.on("close", () => over.abort());
    const body =
      request.method === "POST"
        ? await this.#bodies.read(request, response, { received: bytes, caller })
        : {};
    if (body === undefined) return;
    const startedAt = arrived ?? performance.now();
    const memory = (known as ResponseMemory | undefined) ?? this.#gate.memoryOf(response);
    const refusal =
      this.#gate.publicRefusal(request, body.parsedBody, caller) ??
      (Array.isArray(body.parsedBody)
        ? await this.#gate.batchRefusal(request, body.parsedBody, caller)
        : undefined);
    if (refusal !== undefined) {
      return this.#gate.sendError(request, response, refusal, { body: body.parsedBody, caller });
    }
    const fetchRequest = toFetchRequest(request, over.signal);
    const scopes =
      this.#server.access?.unmetScopes(body.parsedBody, caller) ??
      this.#sessions?.unmetScopes({ request: fetchRequest, ...body, authentication: caller });
    if (scopes !== undefined) {
      const refusal = this.#gate.insufficientScope(scopes);
      return this.#gate.sendError(request, response, refusal, { body: body.parsedBody, caller });
    }
    if (isStream(request)) this.#follow(response, caller, body.parsedBody);
    const holder = this.#gate.holderOf(request, caller);
    const excess = isListening(request)
      ? await this.#takeSlot(response, holder, body.parsedBody)
      : undefined;
    const address = this.#addressOf?.(request);
    const cors = this.#gate.corsHeaders(request);
    const exchange = { ...body, authentication: caller, holder, address };
    const form = answerForm(request.headers.accept) ?? "json";
    const { longTexts, stop } = this.#keepForCalls(fetchRequest, response, memory, form);
    const ofSession = await this.#sessions?.answer({
      request: fetchRequest,
      ...exchange,
      over: over.signal,
    });
    const ofSdk =
      ofSession ??
      excess ??
      (await this.#server.fetch(fetchRequest, { ...exchange, outcome, startedAt }));
    const isToCollect = form === "json" && request.method === "POST" && !isListening(request);
    const answer =
      isToCollect && isEventStream(ofSdk)
        ? await collectedAnswer(ofSdk, Array.isArray(body.parsedBody))
        : ofSdk;
    stop();
    const { observer } = this.#server;
    const isOfSession = ofSession !== undefined;
    const conclude =
      observer &&
      (await observeAnswer(observer, fetchRequest, answer, body.parsedBody, isOfSession));
    await sendFetchResponse({ answer, longTexts }, response, cors, () => memory.written());
    await finished(response).catch(() => undefined);
    conclude?.();
  }

  /**
   * Keeps the memory and the long texts of a request for its calls. While these run, their exchange is kept alive.
   * @returns the long texts of the answers, and what stops keeping the exchange alive
   */
  #keepForCalls(
    request: Request,
    response: ServerResponse,
    memory: ResponseMemory,
    form: AnswerForm,
  ): { readonly longTexts: LongTexts; stop(): void } {
    const longTexts = new LongTexts();
    const copiesUntilWritten = this.definition.resumable ? copies.resumable : copies.usual;
    let stop: (() => void) | undefined;
    rememberMemory(request, {
      longTexts,
      nextCall: () => {
        // The SDK says of its streams that they are alive, and answers at once where it sends one.
        stop ??= keepAlive(response, form, this.#gate.corsHeaders(response.req));
        return memory.nextCall().withCopies(copiesUntilWritten);
      },
    });
    return { longTexts, stop: () => stop?.() };
  }

  /**
   * Takes a slot for a subscription; another holder may lose one for it. @returns the refusal if there is none
   */
  async #takeSlot(
    response: ServerResponse,
    holder: string,
    body: unknown,
  ): Promise<Response | undefined> {
    const slot = this.#subscriptions.take({ holder, end: () => response.destroy() });
    if (slot === undefined) {
      const limit = this.#server.refusals.exceed({ limit: "subscriptions", address: holder });
      return subscriptionRefusal(requestIdMember(body, "id"), limit);
    }
    response.on("close", slot.release);
    // Until its connection has closed, the SDK still counts a subscription that has lost its slot.
    await someTurns();
    return undefined;
  }

  /** Ends a stream when the credentials of its request become invalid. */
  #follow(response: ServerResponse, caller: Authentication | undefined, body: unknown): void {
    // A subscription needs the scopes of its resources; the stream of a session needs all that it was opened with.
    const scopes = isListening(response.req)
      ? (this.#server.access?.neededScopes(body, caller) ?? [])
      : undefined;
    response.on(
      "close",
      this.#gate.streams.follow(response.req, caller, () => response.end(), scopes),
    );
  }
}

/**
 * Resolves when the earlier requests of the same connection are answered, or the connection has closed. The
 * client could not read the answer earlier, and it would take memory until then.
 */
function answersBefore(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("socket", () => resolve());
    response.req.once("close", () => resolve());
  });
}

/** Whether the answer is a stream that stays open until it is closed. */
function isStream({ method, headers }: IncomingMessage): boolean {
  return method === "GET" || isListening({ headers });
}

function isListening({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["mcp-method"] === "subscriptions/listen";
}
