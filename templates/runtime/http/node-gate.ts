import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../observe/log.js";
import type { RunningServer } from "../server/create-server.js";
import { ResponseMemory } from "./answer-memory.js";
import type { NetworkDefinition } from "./definition.js";
import { failExchange, sendError, sendWhole } from "./exchange.js";
import { Gate, type RefusedMessage, type Sender } from "./gate.js";
import { after, type Awaitable } from "../engine/awaitable.js";
import type { PageAnswer, PlainPage } from "./page-answer.js";
import type { HttpError, Page } from "./transport.js";

/** The gate of an endpoint that Node.js serves. It answers the requests that it refuses. */
export class HttpGate extends Gate {
  readonly #bodyBytes: number;
  readonly #log: Logger;

  constructor(server: RunningServer, definition: NetworkDefinition) {
    super(server, definition);
    this.#log = server.log;
    this.#bodyBytes = server.limits.bodyBytes;
  }

  /** Answers a request that is not admitted or has none of these methods. @returns whether it is admitted */
  admitOrRefuse(
    request: IncomingMessage,
    response: ServerResponse,
    methods: readonly string[],
  ): boolean {
    const answer = this.answerUnlessAdmitted(request, methods);
    if (answer !== undefined) this.send(request, response, answer);
    return answer === undefined;
  }

  /** Serves a page to Node.js. */
  serve(page: PlainPage): Page {
    return (request, response) =>
      after(page(request), (answer) => {
        if (!response.destroyed) this.send(request, response, answer);
      });
  }

  /** Sends the answer of a page, or its refusal. */
  send(request: IncomingMessage, response: ServerResponse, answer: PageAnswer): void {
    if ("refusal" in answer) this.sendError(request, response, answer.refusal, answer);
    else sendWhole(request, response, answer);
  }

  /** Identifies the sender of an admitted request, and answers the request if it is refused. */
  identifyOrRefuse(request: IncomingMessage, response: ServerResponse): Awaitable<Sender> {
    return after(this.identify(request), (sender) => {
      if (sender.kind === "refused") this.sendError(request, response, sender.refusal);
      return sender;
    });
  }

  /** The memory for an answer. It must be told of each write. */
  memoryOf(response: ServerResponse): ResponseMemory {
    return new ResponseMemory(response, this);
  }

  /** Answers a refused request with an error, with CORS headers for the manifest's origins. */
  sendError(
    request: IncomingMessage,
    response: ServerResponse,
    error: HttpError,
    read: RefusedMessage = {},
  ): void {
    const headers = this.reportRefusal(request, error, read);
    sendError(response, { ...error, headers }, this.#bodyBytes);
  }

  /** Ends an exchange that failed unforeseen, with {@link failExchange}. */
  fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    failExchange(response, error, this.#log, (failure) => {
      this.sendError(request, response, failure);
    });
  }
}
