import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import type { Authentication } from "../authentication/authentication.js";
import type { RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "./definition.js";
import { after, type Awaitable } from "../engine/awaitable.js";
import type { Engine } from "../engine/engine.js";
import { JsonBodies } from "./body.js";
import { sendFetchResponse } from "./exchange.js";
import { HttpFastPath, type ReceivedRequest } from "../fast-path/http.js";
import { HttpGate } from "./node-gate.js";
import type { ResponseMemory } from "./answer-memory.js";
import type { CallMemory } from "../memory/call-memory.js";
import { plainPages } from "./pages.js";
import type { PageAnswer } from "./page-answer.js";
import {
  isStream,
  ProtocolAnswers,
  type AnsweredExchange,
  type SessionServer,
} from "./protocol-answers.js";
import { keepAlive } from "./slow-answers.js";
import type { Limits } from "../engine/limits.js";
import type { Endpoint, MakeEndpoint, Page } from "./transport.js";

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
  readonly #answers: ProtocolAnswers;
  readonly #takePage: ((request: IncomingMessage) => Awaitable<PageAnswer> | undefined) | undefined;
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
    this.#addressOf = this.#gate.callerAddressOf;
    this.pages = this.#pages();
    this.#takePage = server.definition.createPage?.(this.#gate, server, http);
    const { limits } = server;
    this.#answers = new ProtocolAnswers(server, http, this.#gate, sessions);
    this.#bodies = new JsonBodies(this.#gate, limits, server.definition);
    this.#fastPath = server.fastEngine && this.#createFastPath(server.fastEngine, limits);
  }

  #pages(): ReadonlyMap<string, Page> {
    const pages = plainPages(this.#server, this.definition, this.#gate);
    return new Map<string, Page>([
      [this.definition.path, (request, response) => this.#handle(request, response)],
      ...[...pages].map(([path, page]) => [path, this.#gate.serve(page)] as const),
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
    const page = this.#takePage?.(request);
    if (page !== undefined) return this.#gate.serve(() => page)(request, response);
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
      after(this.#gate.identifyOrRefuse(request, response), (sender) => {
        // The client may have disconnected while it was authenticated.
        if (sender.kind === "refused" || response.destroyed) return;
        this.#take(request, response, sender.caller);
      }),
    );
  }

  /** Makes {@link answered} wait for a part of an exchange. */
  #untilDone(part: Awaitable<void>): Awaitable<void> {
    if (!(part instanceof Promise)) return;
    this.#pending.add(part);
    return part.finally(() => this.#pending.delete(part));
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
    const { parsedBody } = body;
    const message = { head: request, parsedBody, caller, outcome, startedAt, over: over.signal };
    const answer = await this.#answers.answer(message, new NodeExchange(response, memory));
    if ("refusal" in answer) {
      return this.#gate.sendError(request, response, answer.refusal, { body: parsedBody, caller });
    }
    await sendFetchResponse(answer, response, answer.cors, () => memory.written());
    await finished(response).catch(() => undefined);
    answer.conclude?.();
  }
}

/** An exchange of Node.js, as the answers of the protocol see it. */
class NodeExchange implements AnsweredExchange {
  readonly #response: ServerResponse;
  readonly #memory: ResponseMemory;

  constructor(response: ServerResponse, memory: ResponseMemory) {
    this.#response = response;
    this.#memory = memory;
  }

  nextCall(): CallMemory {
    return this.#memory.nextCall();
  }

  whenOver(callback: () => void): void {
    this.#response.on("close", callback);
  }

  endStream(): void {
    this.#response.end();
  }

  breakOff(): void {
    this.#response.destroy();
  }

  keepAlive(...[form, headers]: Parameters<AnsweredExchange["keepAlive"]>): () => void {
    return keepAlive(this.#response, form, headers);
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
