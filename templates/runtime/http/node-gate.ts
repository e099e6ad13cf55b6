import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../observe/log.js";
import type { RunningServer } from "../server/create-server.js";
import { ResponseMemory } from "./answer-memory.js";
import type { NetworkDefinition } from "./definition.js";
import { failExchange, sendError } from "./exchange.js";
import { Gate, type RefusedMessage, type Sender } from "./gate.js";
import { isPreflight, notAllowed } from "./refused-names.js";
import type { HttpError } from "./transport.js";

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
    const refusal = this.refusal(request);
    if (refusal !== undefined) {
      this.sendError(request, response, refusal);
      return false;
    }
    if (methods.includes(request.method ?? "")) return true;
    const preflight = this.preflightHeaders(request, methods);
    if (preflight !== undefined) {
      response.writeHead(204, preflight).end();
      return false;
    }
    if (isPreflight(request)) {
      this.sendError(request, response, notAllowed(request, "Preflight"));
      return false;
    }
    const headers = { allow: methods.join(", ") };
    this.sendError(request, response, { status: 405, message: "Method not allowed", headers });
    return false;
  }

  /** Identifies the sender of an admitted request, and answers the request if it is refused. */
  async identifyOrRefuse(request: IncomingMessage, response: ServerResponse): Promise<Sender> {
    const sender = await this.identify(request);
    if (sender.kind === "refused") this.sendError(request, response, sender.refusal);
    return sender;
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
