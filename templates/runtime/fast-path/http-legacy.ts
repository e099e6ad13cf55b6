import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { RequestId, Result } from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import type { Cancellation } from "../engine/cancellation.js";
import type { Caller } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import { headerList, sendAnswer } from "./http-answer.js";
import { parseBody } from "./http-request.js";
import { fastPathMethods, startCall } from "./calls.js";
import { handshakeResult, callerNotifications } from "./legacy-calls.js";
import {
  isInitialized,
  isLegacyRevision,
  readHandshake,
  readLegacyRequest,
} from "./legacy-request.js";
import { answerEnd, FastPathAnswers } from "./answers.js";
import { readRequest, type FastPathMethods, type FastPathRequest } from "./request.js";
import { outcomeOf, type Observation, type RequestObserver } from "../observe/request-observer.js";

export interface LegacyOptions {
  /** Follows what is answered here; absent where nobody wants to know. */
  readonly observer: RequestObserver | undefined;
  /** To be called after each write of an answer. */
  written(response: ServerResponse): void;
}

/** A request that has arrived whole, and what becomes of it. */
export interface FastExchange {
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Who sent it; undefined where nobody has to say who they are. */
  readonly caller: Authentication | undefined;
  /** The client's address, where something records it. */
  readonly address: string | undefined;
  /** Fires when its client has gone away. */
  readonly gone: Cancellation;
  /** Sends it on the way through the SDK. @param ran What has come of its handler already, and since when. */
  replay(ran?: { readonly outcome: Promise<Result>; readonly since?: number }): void;
}

/** Whether the headers are those of a request of the older eras that belongs to no session. */
export function hasLegacyHeaders(headers: IncomingHttpHeaders): boolean {
  const { accept = "", "mcp-protocol-version": revision } = headers;
  return (
    (revision === undefined || isLegacyRevision(revision)) &&
    headers["mcp-method"] === undefined &&
    headers["mcp-name"] === undefined &&
    accept.includes("application/json") &&
    accept.includes("text/event-stream")
  );
}

/**
 * Answers requests of the older eras where there are no sessions, so that each stands alone.
 * The answer is a stream of events, as the SDK sends it: what the handler logs and reports goes out
 * while it runs.
 */
export class HttpLegacyFastPath {
  readonly #engine: Engine;
  readonly #observer: RequestObserver | undefined;
  readonly #written: LegacyOptions["written"];
  readonly #methods: FastPathMethods;
  readonly #takesSdk: ((request: FastPathRequest) => boolean) | undefined;
  readonly #answers = new FastPathAnswers(undefined, eventStart);

  constructor(engine: Engine, { observer, written }: LegacyOptions) {
    this.#engine = engine;
    this.#observer = observer;
    this.#written = written;
    this.#methods = fastPathMethods(engine);
    this.#takesSdk = engine.definition.legacyExceptions?.(engine);
  }

  answer(exchange: FastExchange): void {
    const message = parseBody(exchange.body);
    const fastRequest = readLegacyRequest(message, this.#methods);
    if (fastRequest !== undefined) {
      return this.#takesSdk?.(fastRequest) ? exchange.replay() : this.#run(fastRequest, exchange);
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
    this.#end(response, this.#answers.bare(result), id);
    observation?.end("ok");
  }

  /** What a client is told that opens a session, which is then none, or wants to know whether anybody is there. */
  #answerToSession(message: unknown): object | undefined {
    const handshake = readHandshake(message);
    if (handshake !== undefined) {
      const { definition, quietCapabilities } = this.#engine;
      return handshakeResult(handshake, definition, quietCapabilities);
    }
    const request = readRequest(message);
    return request?.method === "ping" && request.params === undefined ? {} : undefined;
  }

  #run(
    fastRequest: FastPathRequest,
    { response, caller: sender, address, gone, replay }: FastExchange,
  ): void {
    const { id, name, method, parameters, progressToken } = fastRequest;
    const { sendLog, sendProgress } = callerNotifications(progressToken, {
      notify: (json) => this.#send(response, json),
      wants: () => true,
    });
    const caller: Caller = {
      requestId: id,
      era: "legacy",
      signal: gone,
      // Without a session, nobody knows what the client has declared.
      clientCapabilities: () => undefined,
      sendLog,
      sendProgress,
      ...{ authentication: sender, address },
    };
    const observation = this.#observe({ method: name, id, params: parameters }, response);
    const result = startCall(fastRequest, caller);
    const leave = (outcome?: Promise<Result>): void => {
      observation?.leave();
      const since = observation === undefined ? {} : { since: observation.since };
      replay(outcome && { outcome, ...since });
    };
    if (result instanceof Promise) {
      result
        .then((value) => {
          const answer = this.#answers.answer(fastRequest, value);
          if (answer === undefined) return leave(result);
          this.#end(response, answer, id);
          observation?.end(outcomeOf(value));
        })
        .catch(() => leave(result));
      return;
    }
    const answer = this.#answers.answer(fastRequest, result);
    if (answer === undefined) {
      return leave(method.isShared ? undefined : Promise.resolve(result));
    }
    this.#end(response, answer, id);
    observation?.end(outcomeOf(result));
  }

  #observe(
    request: { readonly method: string; readonly id: RequestId; readonly params: unknown },
    response: ServerResponse,
  ): Observation | undefined {
    const observation = this.#observer?.begin(request, "http", "legacy");
    // Without effect after the answer.
    if (observation !== undefined) response.on("close", () => observation.end("cancelled"));
    return observation;
  }

  /** Sends an event that is not the last. */
  #send(response: ServerResponse, json: string): void {
    if (!response.headersSent) response.writeHead(200, [...eventStream]).flushHeaders();
    response.write(`${eventStart}${json}${eventEnd}`);
    this.#written(response);
  }

  /** Sends the last event. */
  #end(response: ServerResponse, answer: string | Buffer, id: RequestId): void {
    sendAnswer(response, eventStream, answer, answerEnd(id) + eventEnd);
    this.#written(response);
  }
}

const eventStart = "event: message\ndata: ";
const eventEnd = "\n\n";
const eventStream = headerList({
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
});
