import type { IncomingMessage, ServerResponse } from "node:http";
import type { RunningServer } from "./create-server.js";
import type { NetworkDefinition } from "./definition.js";
import { clientAddress } from "./http-client-address.js";
import { sendError } from "./http-exchange.js";
import { HttpGuards } from "./http-guards.js";
import { HttpRateLimit } from "./http-rate-limit.js";
import { defaultLimits } from "./limits.js";
import type { RequestObserver } from "./request-observer.js";

/** Why a request goes no further. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What every endpoint asks before it looks at a request: how many, to which host, from which page. */
export class HttpGate {
  readonly #guards: HttpGuards;
  readonly #rate: HttpRateLimit;
  readonly #proxies: number;
  readonly #transport: NetworkDefinition["type"];
  readonly #observer: RequestObserver | undefined;
  #isStopping = false;

  constructor({ definition: { limits }, observer }: RunningServer, definition: NetworkDefinition) {
    this.#transport = definition.type;
    this.#observer = observer;
    this.#guards = new HttpGuards(definition);
    this.#rate = new HttpRateLimit(limits?.ratePerSecond ?? defaultLimits.ratePerSecond);
    this.#proxies = definition.type === "http" ? definition.trustProxy : 0;
  }

  /** Whether {@link close} was called. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Refuses every request from now on. */
  close(): void {
    this.#isStopping = true;
  }

  /** Why a request must not go on; undefined where it may. */
  refusal(request: IncomingMessage): Refusal | undefined {
    const { headers } = request;
    const wait = this.#rate.take(clientAddress(request, this.#proxies));
    if (wait > 0) {
      const retry = { "retry-after": String(wait) };
      return { status: 429, message: "Too many requests", headers: retry };
    }
    if (!this.#guards.allowsHost(headers.host)) return { status: 403, message: "Host not allowed" };
    if (!this.#guards.allowsOrigin(headers.origin)) {
      return { status: 403, message: "Origin not allowed" };
    }
    if (!this.#isStopping) return undefined;
    const close = { connection: "close" };
    return { status: 503, message: "The server is stopping", headers: close };
  }

  /**
   * Whether a request of one of these methods may go on. One that may not is answered here, and so is
   * the preflight of a page that may call.
   */
  admits(request: IncomingMessage, response: ServerResponse, methods: readonly string[]): boolean {
    const refusal = this.refusal(request);
    if (refusal !== undefined) {
      const { status, message, headers } = refusal;
      this.sendError(request, response, status, message, headers);
      return false;
    }
    const { method = "" } = request;
    if (methods.includes(method)) return true;
    if (method === "OPTIONS" && this.#answersPreflight(request, response, methods)) return false;
    const allow = { allow: methods.join(", ") };
    this.sendError(request, response, 405, "Method not allowed", allow);
    return false;
  }

  /** The CORS headers of an answer to this request. */
  corsHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
    return this.#guards.corsHeaders(headers.origin);
  }

  /** Answers with an error that pages of the manifest's origins can read. */
  sendError(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    code?: number,
  ): void {
    this.#observer?.refuse(this.#transport, { status, reason: message, code });
    sendError(response, status, message, { ...this.corsHeaders(request), ...headers }, code);
  }

  #answersPreflight(
    { headers }: IncomingMessage,
    response: ServerResponse,
    methods: readonly string[],
  ): boolean {
    const requested = headers["access-control-request-headers"];
    const answer = this.#guards.preflightHeaders(headers.origin, requested, methods);
    if (answer === undefined) return false;
    response.writeHead(204, answer).end();
    return true;
  }
}
