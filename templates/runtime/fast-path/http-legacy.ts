import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { RequestId, Result, ServerCapabilities } from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import type { Cancellation } from "../engine/cancellation.js";
import type { Caller } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import { answerForm } from "../http/accept.js";
import { requestCapabilities } from "../http/request-data.js";
import { eventStreamHeaders, keepAlive } from "../http/slow-answers.js";
import { headerList, sendAnswer } from "./http-answer.js";
import { parseBody } from "./http-request.js";
import { fastPathMethods, startCall, handshakeResult, callerNotifications } from "./calls.js";
import {
  isInitialized,
  isLegacyRevision,
  readHandshake,
  readLegacyRequest,
} from "./legacy-request.js";
import type { CallMemory } from "../memory/call-memory.js";
import { answerEnd, FastPathAnswers, type Answer } from "./answers.js";
import { readRequest, type FastPathMethods, type FastPathRequest } from "./request.js";
import { outcomeOf, type Observation, type RequestObserver } from "../observe/request-observer.js";

export interface LegacyOptions {
  /** Observes the requests that are answered without the SDK; undefined if nothing observes requests. */
  readonly observer: RequestObserver | undefined;
  /** Makes the memory of an answer, which must be told of each write. */
  memoryOf(response: ServerResponse): CallMemory;
}

/** A request whose body has arrived, and the means to answer it. */
export interface FastExchange {
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** The authenticated caller; undefined if the endpoint needs no authentication. */
  readonly caller: Authentication | undefined;
  /** The client's address; undefined if nothing records it. */
  readonly address: string | undefined;
  /** Fires when the client has closed its connection. */
  readonly disconnection: Cancellation;
  /** Lets the SDK answer it. @param handled The result of its handler and its start, if the handler has run. */
  replay(handled?: HandledCall): void;
}

/** A call whose handler has run. */
interface HandledCall {
  readonly outcome: Promise<Result>;
  readonly startedAt?: number;
  readonly memory: CallMemory;
}

/** Whether the headers are those of a request of the older eras that belongs to no session. */
export function hasLegacyHeaders(headers: IncomingHttpHeaders): boolean {
  const { accept, "mcp-protocol-version": revision } = headers;
  return (
    (revision === undefined || isLegacyRevision(revision)) &&
    headers["mcp-method"] === undefined &&
    headers["mcp-name"] === undefined &&
    answerForm(accept) === "events"
  );
}

/**
 * Answers requests of the older eras where there are no sessions, so that requests are independent.
 * The answer is a stream of events, as the SDK sends it. Log messages and progress of the handler are
 * sent while it runs.
 */
export class HttpLegacyFastPath {
  readonly #engine: Engine;
  readonly #capabilities: ServerCapabilities;
  readonly #observer: RequestObserver | undefined;
  readonly #memoryOf: LegacyOptions["memoryOf"];
  readonly #methods: FastPathMethods;
  readonly #needsSdk: ((request: FastPathRequest) => boolean) | undefined;
  readonly #answers = new FastPathAnswers(undefined, eventStart);

  constructor(engine: Engine, { observer, memoryOf }: LegacyOptions) {
    this.#engine = engine;
    this.#capabilities = requestCapabilities(engine);
    this.#observer = observer;
    this.#memoryOf = memoryOf;
    this.#methods = fastPathMethods(engine);
    this.#needsSdk = engine.definition.legacyExceptions?.(engine);
  }

  answer(exchange: FastExchange): void {
    const message = parseBody(exchange.body);
    const fastRequest = readLegacyRequest(message, this.#methods);
    if (fastRequest !== undefined) {
      return this.#needsSdk?.(fastRequest) ? exchange.replay() : this.#run(fastRequest, exchange);
    }
    const { response } = exchange;
    if (isInitialized(message)) {
      response.writeHead(202, { "content-length": 0 }).end();
      return;
    }
    const id = readRequest(message)?.id;
    const result = this.#answerToSession(message);
    if (id === undefined || result === undefined) return exchange.replay();
    const { method, params } = message as { readonly method: string; readonly params?: unknown };
    const observation = this.#observe({ method, id, params }, response);
    end(response, this.#answers.legacyAnswer(result), id);
    observation?.end("ok");
  }

  /** The result of a handshake, which opens no session here, or of a `ping`. */
  #answerToSession(message: unknown): object | undefined {
    const handshake = readHandshake(message);
    if (handshake !== undefined) {
      return handshakeResult(handshake, this.#engine.definition, this.#capabilities);
    }
    const request = readRequest(message);
    return request?.method === "ping" && request.params === undefined ? {} : undefined;
  }

  #run(
    fastRequest: FastPathRequest,
    { response, caller: sender, address, disconnection, replay }: FastExchange,
  ): void {
    const { id, name, method, parameters, progressToken } = fastRequest;
    const memory = this.#memoryOf(response);
    const { sendLog, progress } = callerNotifications(progressToken, {
      notify: (json) => send(response, json, memory),
      wantsLevel: () => true,
    });
    const caller: Caller = {
      requestId: id,
      era: "legacy",
      signal: disconnection,
      // Without a session, the capabilities of the handshake are not kept.
      clientCapabilities: () => undefined,
      sendLog,
      progress,
      ...{ authentication: sender, address, memory },
    };
    const observation = this.#observe({ method: name, id, params: parameters }, response);
    const result = startCall(fastRequest, caller);
    const leave = (outcome?: Promise<Result>): void => {
      observation?.leave();
      const startedAt = observation === undefined ? {} : { startedAt: observation.startedAt };
      replay(outcome && { outcome, memory, ...startedAt });
    };
    if (result instanceof Promise) {
      const stop = keepAlive(response, "events");
      result
        .then((value) => {
          stop();
          const answer = this.#answers.answer(fastRequest, value);
          if (answer === undefined) return leave(result);
          end(response, answer, id, memory);
          observation?.end(outcomeOf(value));
        })
        .catch(() => {
          stop();
          leave(result);
        });
      return;
    }
    const answer = this.#answers.answer(fastRequest, result);
    if (answer === undefined) {
      return leave(method.isShared ? undefined : Promise.resolve(result));
    }
    end(response, answer, id, memory);
    observation?.end(outcomeOf(result));
  }

  #observe(
    request: { readonly method: string; readonly id: RequestId; readonly params: unknown },
    response: ServerResponse,
  ): Observation | undefined {
    const observation = this.#observer?.begin(request, "http", "legacy");
    // This has no effect after the answer.
    if (observation !== undefined) response.on("close", () => observation.end("cancelled"));
    return observation;
  }
}

/** Sends a notification before the answer. */
function send(response: ServerResponse, json: string, memory: CallMemory): void {
  if (!response.headersSent) response.writeHead(200, [...eventStream]).flushHeaders();
  response.write(`${eventStart}${json}${eventEnd}`);
  memory.written();
}

/** Sends the answer as the last event. */
function end(response: ServerResponse, answer: Answer, id: RequestId, memory?: CallMemory): void {
  sendAnswer(response, eventStream, answer, answerEnd(id) + eventEnd);
  memory?.written();
}

const eventStart = "event: message\ndata: ";
const eventEnd = "\n\n";
const eventStream = headerList(eventStreamHeaders);
