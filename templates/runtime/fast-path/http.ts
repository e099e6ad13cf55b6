import type { IncomingMessage, ServerResponse } from "node:http";
import type { Result } from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import { Cancellation } from "../engine/cancellation.js";
import type { Caller } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import type { ToolEntry } from "../tools/definition.js";
import { headerList, sendAnswer } from "./http-answer.js";
import {
  hasLegacyHeaders,
  HttpLegacyFastPath,
  type FastExchange,
  type LegacyOptions,
} from "./http-legacy.js";
import { hasFastPathBody, hasFastPathHeaders, readFastPathBody } from "./http-request.js";
import { WaitGroup } from "../engine/wait-group.js";
import { answerEnd, FastPathAnswers } from "./answers.js";
import { fastPathMethods, startCall } from "./calls.js";
import type { FastPathMethods, FastPathRequest } from "./request.js";
import { outcomeOf, type Observation } from "../observe/request-observer.js";
import { drainMs } from "../start/transport.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Whether the tool of a name repeats an argument in a request header. */
    readonly repeatsArguments?: (tools: readonly ToolEntry[], name: unknown) => boolean;
  }
}

/** What a request on the way to the SDK comes with. */
export interface ReceivedRequest {
  /** Its body, where it was read already. */
  readonly body?: Buffer;
  /** When it had arrived whole, by `performance.now()`. */
  readonly since?: number;
  /** Who sent it; undefined where nobody has to say who they are. */
  readonly caller: Authentication | undefined;
  /** The result of its handler, where that has run already. */
  readonly outcome?: Promise<Result>;
}

export interface FastPathOptions extends LegacyOptions {
  /** The one path that is answered. */
  readonly path: string;
  /** Longest body that is taken, in bytes. */
  readonly bodyBytes: number;
  /** Whether requests of the older eras are answered too: where they are served, and have no sessions. */
  readonly legacy: boolean;
  /** The address of the client that sends a request; absent where nothing records it. */
  readonly addressOf?: ((request: IncomingMessage) => string) | undefined;
  /** Sends a request that was taken on the way through the SDK. */
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
 * Answers requests straight from the engine, those of 2026-07-28 and, where there are no
 * sessions, those of the older eras: each stands alone, so there is nothing that the SDK would have to know. It answers only what succeeds. Everything else, every
 * error and every doubt, goes through the SDK with the same bytes.
 */
export class HttpFastPath {
  readonly #options: FastPathOptions;
  readonly #answers: FastPathAnswers;
  readonly #methods: FastPathMethods;
  /** Tools whose arguments are repeated in headers, which the SDK compares. */
  readonly #repeatsArguments: ((name: unknown) => boolean) | undefined;
  readonly #legacy: HttpLegacyFastPath | undefined;
  readonly #convert: ((message: Buffer) => Buffer) | undefined;
  readonly #open = new WaitGroup<ServerResponse>();
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

  /** Takes a request that was admitted, if its headers say nothing that only the SDK knows, and says whether it did. */
  take(request: IncomingMessage, response: ServerResponse, caller?: Authentication): boolean {
    const { method, url, headers } = request;
    if (this.#stopping || method !== "POST" || url !== this.#options.path) return false;
    // Pages of other origins get headers of their own.
    if (headers.origin !== undefined || !hasFastPathBody(headers)) return false;
    const isModern = hasFastPathHeaders(headers, this.#methods);
    if (!isModern && (this.#legacy === undefined || !hasLegacyHeaders(headers))) return false;
    if (Number(headers["content-length"]) > this.#options.bodyBytes) return false;
    const gone = new Cancellation();
    this.#open.add(response);
    const over = (): void => {
      this.#open.delete(response);
      if (!response.writableFinished) gone.cancel(new Error("The client has gone away"));
    };
    response.on("close", over);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const [only] = chunks;
      const received = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
      const body = this.#convert === undefined ? received : this.#convert(received);
      if (isModern) return this.#answer(request, response, { body, caller }, gone);
      const replay: FastExchange["replay"] = (ran) =>
        this.#options.replay(request, response, { body, caller, ...ran });
      const address = this.#options.addressOf?.(request);
      this.#legacy?.answer({ body, response, caller, address, gone, replay });
    });
    return true;
  }

  /** Takes no request from now on, and cuts those that have not arrived whole: nothing runs for them. */
  stop(): void {
    this.#stopping = true;
    for (const { req } of this.#open) if (!req.complete) req.destroy();
  }

  /** Resolves when every request that was taken is answered. */
  answered(): Promise<void> {
    return this.#open.doneWithin(drainMs);
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    received: ReceivedRequest & { readonly body: Buffer },
    gone: Cancellation,
  ): void {
    const fastRequest = readFastPathBody(request.headers, received.body, this.#methods);
    if (fastRequest === undefined) return this.#options.replay(request, response, received);
    const observation = this.#observe(fastRequest, response);
    const exchange: Exchange = { request, response, received, fastRequest, observation };
    const { id, name, method, parameters } = fastRequest;
    if (name === "tools/call" && this.#repeatsArguments?.(parameters["name"])) {
      return this.#replay(exchange);
    }
    const sender = { authentication: received.caller, address: this.#options.addressOf?.(request) };
    const result = startCall(fastRequest, callerOf(fastRequest, gone, sender));
    if (result instanceof Promise) return this.#answerLater(exchange, result);
    const answer = this.#answers.answer(fastRequest, result);
    if (answer === undefined) {
      return this.#replay(exchange, method.isShared ? undefined : Promise.resolve(result));
    }
    this.#send(response, answer, id);
    observation?.end(outcomeOf(result));
  }

  #answerLater(exchange: Exchange, result: Promise<Result>): void {
    const { response, fastRequest, observation } = exchange;
    result
      .then((value) => {
        const answer = this.#answers.answer(fastRequest, value);
        if (answer === undefined) return this.#replay(exchange, result);
        this.#send(response, answer, fastRequest.id);
        observation?.end(outcomeOf(value));
      })
      .catch(() => this.#replay(exchange, result));
  }

  /** Leaves a request to the SDK. @param outcome The result of its handler, where that has run. */
  #replay({ request, response, received, observation }: Exchange, outcome?: Promise<Result>): void {
    observation?.leave();
    const since = observation === undefined ? {} : { since: observation.since };
    const ran = outcome === undefined ? {} : { outcome };
    this.#options.replay(request, response, { ...received, ...since, ...ran });
  }

  #send(response: ServerResponse, answer: string | Buffer, id: string | number): void {
    sendAnswer(response, json, answer, answerEnd(id));
    this.#options.written(response);
  }

  #observe(fastRequest: FastPathRequest, response: ServerResponse): Observation | undefined {
    const observation = this.#options.observer?.begin(
      { method: fastRequest.name, id: fastRequest.id, params: fastRequest.parameters },
      "http",
      "modern",
    );
    if (observation === undefined) return undefined;
    // Without effect after the answer.
    response.on("close", () => observation.end("cancelled"));
    return observation;
  }
}

function callerOf(
  { id, capabilities }: FastPathRequest,
  gone: Cancellation,
  sender: Pick<Caller, "authentication" | "address">,
): Caller {
  return {
    requestId: id,
    era: "modern",
    signal: gone,
    clientCapabilities: () => capabilities,
    // A client that wants log messages says so in its envelope, which is then the SDK's.
    sendLog: nothing,
    ...sender,
  };
}

const json = headerList({ "content-type": "application/json" });

async function nothing(): Promise<void> {}
