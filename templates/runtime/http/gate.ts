import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authentication } from "../authentication/authentication.js";
import type { RunningServer } from "../server/create-server.js";
import type { NetworkDefinition } from "./definition.js";
import { HttpAuthentication } from "../authentication/http-authentication.js";
import { anybody, matchesMethodHeader } from "../authentication/public-methods.js";
import { clientAddress } from "./client-address.js";
import { failExchange, sendError, type HttpError } from "./exchange.js";
import { FollowedStreams } from "./followed-streams.js";
import { headersProblem, HttpGuards } from "./guards.js";
import { clientOf, HttpRateLimit } from "./rate-limit.js";
import { replicasOf } from "./replicas.js";
import type { Refusal } from "./transport.js";
import { ResponseMemory } from "./answer-memory.js";
import { defaultLimits } from "../engine/limits.js";
import { networkLimits } from "./network-limits.js";
import type { Logger } from "../observe/log.js";
import type { RequestObserver } from "../observe/request-observer.js";

/** Who sends an admitted request, or why it is refused. */
export type Sender =
  /** Callers are not authenticated. */
  | { readonly kind: "open"; readonly caller?: undefined }
  | { readonly kind: "caller"; readonly caller: Authentication }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** The parts of a refused request that were read already. */
interface RefusedMessage {
  readonly body?: unknown;
  readonly caller?: Authentication | undefined;
}

const stopping: Refusal = {
  status: 503,
  message: "The server is stopping",
  headers: { connection: "close" },
};

/** Most messages of a batch that the SDK accepts. */
const maxBatchLength = 100;

const rateLimits = new WeakMap<RunningServer, HttpRateLimit>();

/** The rate limit that all endpoints of a server share. */
export function rateLimitOf(server: RunningServer): HttpRateLimit {
  const { ratePerSecond } = { ...networkLimits, ...server.definition.limits };
  const rateLimit =
    rateLimits.get(server) ?? new HttpRateLimit(ratePerSecond, replicasOf(server)?.rates);
  rateLimits.set(server, rateLimit);
  return rateLimit;
}

/** The first checks of every endpoint: rate limit, headers, host, origin and caller. */
export class HttpGate {
  readonly streams: FollowedStreams;
  readonly #guards: HttpGuards;
  readonly #rate: HttpRateLimit;
  readonly #proxies: number;
  readonly #transport: NetworkDefinition["type"];
  readonly #observer: RequestObserver | undefined;
  readonly #authentication: HttpAuthentication | undefined;
  readonly #bodyBytes: number;
  readonly #recordsAddresses: boolean;
  readonly #log: Logger;
  #isStopping = false;

  constructor(server: RunningServer, definition: NetworkDefinition) {
    this.#recordsAddresses = server.recordsAddresses === true;
    this.#log = server.log;
    const { access, observer } = server;
    const authentication = access?.authentication;
    this.#transport = definition.type;
    this.#observer = observer;
    this.#authentication = authentication && new HttpAuthentication(server, authentication);
    this.#guards = new HttpGuards(definition);
    this.#rate = rateLimitOf(server);
    this.#bodyBytes = { ...defaultLimits, ...server.definition.limits }.bodyBytes;
    this.#proxies = definition.trustProxy;
    this.streams = new FollowedStreams(server, this.#authentication);
  }

  /** Whether {@link close} was called. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Starts to refuse requests, except those that may answer a question of a running call. */
  close(): void {
    this.#isStopping = true;
  }

  /** Why a request is refused; undefined if it is admitted. */
  refusal(request: IncomingMessage): Refusal | undefined {
    const { headers } = request;
    const wait = this.#rate.take(clientAddress(request, this.#proxies));
    const rateRefusal = this.#rateRefusal(wait);
    if (rateRefusal !== undefined) return rateRefusal;
    const problem = headersProblem(request);
    if (problem !== undefined) return problem;
    if (!this.#guards.allowsHost(headers.host)) return { status: 403, message: "Host not allowed" };
    if (!this.#guards.allowsOrigin(headers.origin, headers.host)) {
      return { status: 403, message: "Origin not allowed" };
    }
    return this.#isStopping && !this.#belongsToClient(request) ? stopping : undefined;
  }

  /**
   * Whether a request is a message within a session or for an SSE stream. It may contain the answer that a running call
   * waits for. If it is a new call, that is refused later.
   */
  #belongsToClient({ method, headers }: IncomingMessage): boolean {
    if (method !== "POST") return false;
    return this.#transport === "sse" || headers["mcp-session-id"] !== undefined;
  }

  #rateRefusal(wait: number): Refusal | undefined {
    if (wait === 0) return undefined;
    const headers = { "retry-after": String(wait) };
    return { status: 429, message: "Too many requests", headers };
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
    const { method = "" } = request;
    if (methods.includes(method)) return true;
    if (method === "OPTIONS" && this.#answerPreflight(request, response, methods)) return false;
    const headers = { allow: methods.join(", ") };
    this.sendError(request, response, { status: 405, message: "Method not allowed", headers });
    return false;
  }

  /** Whether callers are not authenticated. */
  get isOpen(): boolean {
    return this.#authentication === undefined;
  }

  /**
   * Authenticates the sender of an admitted request, and counts the request for the caller, independent of
   * its address.
   */
  async identify(request: IncomingMessage): Promise<Sender> {
    if (this.#authentication === undefined) return { kind: "open" };
    const caller = await this.#authentication.identify(request);
    if ("status" in caller) return { kind: "refused", refusal: caller };
    const refusal = this.#countFor(caller, request);
    return refusal === undefined ? { kind: "caller", caller } : { kind: "refused", refusal };
  }

  /** Identifies the sender of an admitted request, and answers the request if it is refused. */
  async identifyOrRefuse(request: IncomingMessage, response: ServerResponse): Promise<Sender> {
    const sender = await this.identify(request);
    if (sender.kind === "refused") this.sendError(request, response, sender.refusal);
    return sender;
  }

  /** Counts a request for its caller. @returns why it is refused; undefined if it is not */
  #countFor(caller: Authentication, request: IncomingMessage): Refusal | undefined {
    if (caller === anybody) return this.#transport === "http" ? undefined : this.#unauthorized();
    this.streams.narrow(request, caller);
    if (this.#isStopping && !this.#belongsToClient(request)) return stopping;
    return this.#rateRefusal(this.#rate.take(countingKeyOf(caller)));
  }

  /** Why a request is refused that was admitted because its headers name a public method. */
  publicRefusal(
    request: IncomingMessage,
    body: unknown,
    caller: Authentication | undefined,
  ): Refusal | undefined {
    const isRefused = caller === anybody && !matchesMethodHeader(request, body);
    return isRefused ? this.#unauthorized() : undefined;
  }

  #unauthorized(): Refusal {
    return this.#authentication?.unauthorized(false) ?? { status: 401, message: "Unauthorized" };
  }

  /**
   * Makes a function that counts a message as a request of a connection's client. The function returns 0, or the
   * seconds that the client must wait.
   */
  meter(request: IncomingMessage, caller: Authentication | undefined): () => number {
    const address = clientAddress(request, this.#proxies);
    return () => {
      const wait = this.#rate.take(address);
      if (wait > 0 || caller === undefined || caller === anybody) return wait;
      return this.#rate.take(countingKeyOf(caller));
    };
  }

  /** Counts the messages of a batch after the first, which counts as the request. @returns why it is refused */
  batchRefusal(
    request: IncomingMessage,
    body: unknown,
    caller: Authentication | undefined,
  ): Refusal | undefined {
    if (!Array.isArray(body) || body.length > maxBatchLength) return undefined;
    const take = this.meter(request, caller);
    const waits = body.slice(1).map(() => take());
    return this.#rateRefusal(Math.max(0, ...waits));
  }

  /** The memory for an answer. It must be told of each write. */
  memoryOf(response: ServerResponse): ResponseMemory {
    return new ResponseMemory(response, this);
  }

  /** The name under which a client's resources are counted: its principal, or else its address. */
  holderOf(request: IncomingMessage, caller: Authentication | undefined): string {
    const isKnown = caller !== undefined && caller !== anybody;
    return isKnown ? countingKeyOf(caller) : clientOf(this.addressOf(request));
  }

  /** The function {@link addressOf} if something records addresses; otherwise undefined. */
  get recordedAddressOf(): ((request: IncomingMessage) => string) | undefined {
    return this.#recordsAddresses ? (request) => this.addressOf(request) : undefined;
  }

  /** The address of the client that sends a request. */
  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.#proxies);
  }

  /** The refusal of a caller without these scopes. */
  insufficientScope(scopes: readonly string[]): Refusal {
    const refusal = this.#authentication?.insufficientScope(scopes);
    return refusal ?? { status: 403, message: "Insufficient scope" };
  }

  /** The CORS headers of an answer to this request. */
  corsHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
    return this.#guards.corsHeaders(headers.origin);
  }

  /** Answers a refused request with an error, with CORS headers for the manifest's origins. */
  sendError(
    request: IncomingMessage,
    response: ServerResponse,
    { status, message, headers, code }: HttpError,
    { body, caller }: RefusedMessage = {},
  ): void {
    const from = { address: this.recordedAddressOf?.(request), principal: caller?.principal };
    this.#observer?.refuse(this.#transport, { status, reason: message, code, ...from }, body);
    const allHeaders = { ...this.corsHeaders(request), ...headers };
    sendError(response, { status, message, headers: allHeaders, code }, this.#bodyBytes);
  }

  /** Ends an exchange that failed unforeseen, with {@link failExchange}. */
  fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    failExchange(response, error, this.#log, (failure) => {
      this.sendError(request, response, failure);
    });
  }

  /** Answers a CORS preflight. @returns false if its origin gets no CORS: it is not answered then */
  #answerPreflight(
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

/** The key under which the requests and slots of a caller are counted. It differs from every address. */
function countingKeyOf({ principal }: Authentication): string {
  return `principal ${principal}`;
}
