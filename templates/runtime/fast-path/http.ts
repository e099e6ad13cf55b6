import type { IncomingMessage, ServerResponse } from "node:http";
import type { Result } from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import { Cancellation } from "../engine/cancellation.js";
import type { Caller } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import { headerList, sendAnswer } from "./http-answer.js";
import {
  hasLegacyHeaders,
  HttpLegacyFastPath,
  type FastExchange,
  type LegacyOptions,
} from "./http-legacy.js";
import { hasFastPathBody, hasFastPathHeaders, readFastPathBody } from "./http-request.js";
import { withoutMark } from "../engine/message-json.js";
import { WaitList } from "../engine/wait-group.js";
import type { CallMemory } from "../memory/call-memory.js";
import { answerEnd, FastPathAnswers, type Answer } from "./answers.js";
import { fastPathMethods, startCall } from "./calls.js";
import type { FastPathMethods, FastPathRequest } from "./request.js";
import { outcomeOf, type Observation } from "../observe/request-observer.js";
import { keepAlive } from "../http/slow-answers.js";
import { drainMs } from "../start/transport.js";

/** What is already known of a request that the SDK is to answer. */
export interface ReceivedRequest {
  /** Its body, if it was read already. */
  readonly body?: Buffer;
  /** The time when its body had arrived, by `performance.now()`. */
  readonly startedAt?: number;
  /** The authenticated caller; undefined if the endpoint needs no authentication. */
  readonly caller: Authentication | undefined;
  /** The result of its handler, if that has run already. */
  readonly outcome?: Promise<Result>;
  /** The memory of its answer, if its handler has run. */
  readonly memory?: CallMemory;
}

export interface FastPathOptions extends LegacyOptions {
  /** The path of the requests that are answered. */
  readonly path: string;
  /** Largest body that is accepted, in bytes. */
  readonly bodyBytes: number;
  /** Whether requests of the older eras are answered too: if they are served without sessions. */
  readonly legacy: boolean;
  /** The address of the client that sends a request; absent if nothing records it. */
  readonly addressOf?: ((request: IncomingMessage) => string) | undefined;
  /** Ends the exchange of a request whose handling failed unforeseen. */
  fail(request: IncomingMessage, response: ServerResponse, error: unknown): void;
  /** Lets the SDK answer a request that was taken. */
  replay(request: IncomingMessage, response: ServerResponse, received: ReceivedRequest): void;
}

/** A request that is being answered. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly received: ReceivedRequest;
  readonly fastRequest: FastPathRequest;
  readonly observation: Observation | undefined;
}

/**
 * Answers requests directly from the engine: those of 2026-07-28 and, where there are no sessions,
 * those of the older eras. Such requests are independent of each other, so the SDK need not see them.
 * Only requests that succeed are answered. Failed and unusual requests go to the SDK with the same bytes.
 */
export class HttpFastPath {
  readonly #options: FastPathOptions;
  readonly #answers: FastPathAnswers;
  readonly #methods: FastPathMethods;
  /** Whether headers repeat arguments of this tool: only the SDK compares them. */
  readonly #repeatsArguments: ((name: unknown) => boolean) | undefined;
  readonly #legacy: HttpLegacyFastPath | undefined;
  readonly #convert: ((message: Buffer) => Buffer) | undefined;
  readonly #open = new WaitList<ServerResponse>();
  #stopping = false;

  constructor(engine: Engine, options: FastPathOptions) {
    const { info, tools, repeatsArguments, convertMessage } = engine.definition;
    this.#options = options;
    this.#convert = convertMessage;
    this.#answers = new FastPathAnswers(info);
    this.#methods = fastPathMethods(engine);
    if (options.legacy) this.#legacy = new HttpLegacyFastPath(engine, options);
    this.#repeatsArguments = repeatsArguments && ((name) => repeatsArguments(tools, name));
  }

  /** Takes an admitted request, unless its headers need the SDK. @returns whether it was taken */
  take(request: IncomingMessage, response: ServerResponse, caller?: Authentication): boolean {
    const { method, url, headers } = request;
    if (this.#stopping || method !== "POST" || url !== this.#options.path) return false;
    // The answer to a page of another origin needs CORS headers.
    if (headers.origin !== undefined || !hasFastPathBody(headers)) return false;
    const isModern = hasFastPathHeaders(headers, this.#methods);
    if (!isModern && (this.#legacy === undefined || !hasLegacyHeaders(headers))) return false;
    if (Number(headers["content-length"]) > this.#options.bodyBytes) return false;
    const disconnection = new Cancellation();
    const remove = this.#open.add(response);
    response.on("close", () => {
      remove();
      if (!response.writableFinished) disconnection.cancel(new Error("The client has gone away"));
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const [first] = chunks;
      const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
      const received = withoutMark(bytes);
      try {
        const body = this.#convert === undefined ? received : this.#convert(received);
        if (isModern) this.#answer(request, response, { body, caller }, disconnection);
        else this.#answerLegacy(request, response, { body, caller }, disconnection);
      } catch (error) {
        this.#options.fail(request, response, error);
      }
    });
    return true;
  }

  /** Stops taking requests, and closes the connections of those whose body has not arrived. */
  stop(): void {
    this.#stopping = true;
    for (const { req } of this.#open) if (!req.complete) req.destroy();
  }

  /** Resolves when all requests that were taken are answered, or after `drainMs`. */
  answered(): Promise<void> {
    return this.#open.doneWithin(drainMs);
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    arrived: ReceivedRequest & { readonly body: Buffer },
    disconnection: Cancellation,
  ): void {
    const fastRequest = readFastPathBody(request.headers, arrived.body, this.#methods);
    if (fastRequest === undefined) return this.#options.replay(request, response, arrived);
    const memory = this.#options.memoryOf(response);
    const received = { ...arrived, memory };
    const observation = this.#observe(fastRequest, response);
    const exchange: Exchange = { request, response, received, fastRequest, observation };
    const { name, method, parameters } = fastRequest;
    if (name === "tools/call" && this.#repeatsArguments?.(parameters["name"])) {
      return this.#replay(exchange);
    }
    const address = this.#options.addressOf?.(request);
    const sender = { authentication: received.caller, address, memory };
    const result = startCall(fastRequest, callerOf(fastRequest, disconnection, sender));
    if (result instanceof Promise) return this.#answerLater(exchange, result);
    const answer = this.#answers.answer(fastRequest, result);
    if (answer === undefined) {
      return this.#replay(exchange, method.isShared ? undefined : Promise.resolve(result));
    }
    this.#send(exchange, answer);
    observation?.end(outcomeOf(result));
  }

  #answerLegacy(
    request: IncomingMessage,
    response: ServerResponse,
    { body, caller }: ReceivedRequest & { readonly body: Buffer },
    disconnection: Cancellation,
  ): void {
    const replay: FastExchange["replay"] = (handled) =>
      this.#options.replay(request, response, { body, caller, ...handled });
    const address = this.#options.addressOf?.(request);
    this.#legacy?.answer({ body, response, caller, address, disconnection, replay });
  }

  #answerLater(exchange: Exchange, result: Promise<Result>): void {
    const { fastRequest, observation, response } = exchange;
    const stop = keepAlive(response, "json");
    result
      .then((value) => {
        stop();
        const answer = this.#answers.answer(fastRequest, value);
        if (answer === undefined) return this.#replay(exchange, result);
        this.#send(exchange, answer);
        observation?.end(outcomeOf(value));
      })
      .catch(() => {
        stop();
        this.#replay(exchange, result);
      });
  }

  /** Lets the SDK answer a request. @param outcome The result of its handler, if that has run. */
  #replay({ request, response, received, observation }: Exchange, outcome?: Promise<Result>): void {
    observation?.leave();
    const startedAt = observation === undefined ? {} : { startedAt: observation.startedAt };
    const handled = outcome === undefined ? {} : { outcome };
    this.#options.replay(request, response, { ...received, ...startedAt, ...handled });
  }

  #send({ response, fastRequest, received }: Exchange, answer: Answer): void {
    sendAnswer(response, json, answer, answerEnd(fastRequest.id));
    received.memory?.written();
  }

  #observe(fastRequest: FastPathRequest, response: ServerResponse): Observation | undefined {
    const observation = this.#options.observer?.begin(
      { method: fastRequest.name, id: fastRequest.id, params: fastRequest.parameters },
      "http",
      "modern",
    );
    if (observation === undefined) return undefined;
    // This has no effect after the answer.
    response.on("close", () => observation.end("cancelled"));
    return observation;
  }
}

function callerOf(
  { id, capabilities }: FastPathRequest,
  disconnection: Cancellation,
  sender: Pick<Caller, "authentication" | "address" | "memory">,
): Caller {
  return {
    requestId: id,
    era: "modern",
    signal: disconnection,
    clientCapabilities: () => capabilities,
    // A request that asks for log messages goes to the SDK.
    sendLog: nothing,
    ...sender,
  };
}

const json = headerList({ "content-type": "application/json" });

async function nothing(): Promise<void> {}
