import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authentication } from "../authentication/authentication.js";
import type { RunningServer } from "../server/create-server.js";
import type { NetworkDefinition } from "./definition.js";
import { HttpAuthentication } from "../authentication/http-authentication.js";
import { anybody, isWhatHeadersSay } from "../authentication/public-methods.js";
import {
  authorizedStreamsOf,
  whenExpired,
  whenWithdrawn,
  type AuthorizedStreams,
} from "./authorized-streams.js";
import { clientAddress } from "./client-address.js";
import { sendError } from "./exchange.js";
import { headersProblem, HttpGuards } from "./guards.js";
import { clientOf, HttpRateLimit } from "./rate-limit.js";
import { replicasOf } from "./replicas.js";
import type { Refusal } from "./transport.js";
import { unreadAnswers } from "./unread.js";
import { defaultLimits } from "../engine/limits.js";
import { networkLimits } from "./network-limits.js";
import type { RequestObserver } from "../observe/request-observer.js";

/** What is known of a request that was read before it was refused. */
interface RefusedMessage {
  readonly body?: unknown;
  readonly caller?: Authentication | undefined;
}

const stopping: Refusal = {
  status: 503,
  message: "The server is stopping",
  headers: { connection: "close" },
};

/** Most messages of a batch that the SDK takes. */
const longestBatch = 100;

const rateLimits = new WeakMap<RunningServer, HttpRateLimit>();

/** The one that all endpoints of a server share: a client has no more by going from one to another. */
export function rateLimitOf(server: RunningServer): HttpRateLimit {
  const { ratePerSecond } = { ...networkLimits, ...server.definition.limits };
  const shared =
    rateLimits.get(server) ?? new HttpRateLimit(ratePerSecond, replicasOf(server)?.rates);
  rateLimits.set(server, shared);
  return shared;
}

/** What every endpoint asks before it looks at a request: how many, to which host, from which page. */
export class HttpGate {
  readonly #guards: HttpGuards;
  readonly #rate: HttpRateLimit;
  readonly #proxies: number;
  readonly #transport: NetworkDefinition["type"];
  readonly #observer: RequestObserver | undefined;
  readonly #authentication: HttpAuthentication | undefined;
  readonly #bodyBytes: number;
  readonly #streams: AuthorizedStreams;
  /** The scopes of all items. */
  readonly #scopes: readonly string[];
  readonly #recordsAddresses: boolean;
  #isStopping = false;

  constructor(server: RunningServer, definition: NetworkDefinition) {
    this.#recordsAddresses = server.recordsAddresses === true;
    const { access, observer } = server;
    const authentication = access?.authentication;
    this.#transport = definition.type;
    this.#observer = observer;
    this.#authentication = authentication && new HttpAuthentication(server, authentication);
    this.#guards = new HttpGuards(definition);
    this.#rate = rateLimitOf(server);
    this.#bodyBytes = { ...defaultLimits, ...server.definition.limits }.bodyBytes;
    this.#proxies = definition.trustProxy;
    this.#streams = authorizedStreamsOf(server);
    this.#scopes = access?.scopes ?? [];
  }

  /** Whether {@link close} was called. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Refuses from now on what is not of a client that is known. */
  close(): void {
    this.#isStopping = true;
  }

  /** Why a request must not go on; undefined where it may. */
  refusal(request: IncomingMessage): Refusal | undefined {
    const { headers } = request;
    const wait = this.#rate.take(clientAddress(request, this.#proxies));
    const limited = this.#limited(wait);
    if (limited !== undefined) return limited;
    const problem = headersProblem(request);
    if (problem !== undefined) return problem;
    if (!this.#guards.allowsHost(headers.host)) return { status: 403, message: "Host not allowed" };
    if (!this.#guards.allowsOrigin(headers.origin, headers.host)) {
      return { status: 403, message: "Origin not allowed" };
    }
    return this.#isStopping && !this.#belongsToClient(request) ? stopping : undefined;
  }

  /**
   * Whether a request is of a client that is known already. It may have the answer to a question that
   * a running call waits for; calls that are new are refused further on.
   */
  #belongsToClient({ method, headers }: IncomingMessage): boolean {
    if (method !== "POST") return false;
    return this.#transport === "sse" || headers["mcp-session-id"] !== undefined;
  }

  #limited(wait: number): Refusal | undefined {
    if (wait === 0) return undefined;
    const headers = { "retry-after": String(wait) };
    return { status: 429, message: "Too many requests", headers };
  }

  /**
   * Whether a request of one of these methods may go on. One that may not is answered here, and so is
   * the preflight of a page that may call.
   */
  admits(request: IncomingMessage, response: ServerResponse, methods: readonly string[]): boolean {
    const refusal = this.refusal(request);
    if (refusal !== undefined) {
      this.sendRefusal(request, response, refusal);
      return false;
    }
    const { method = "" } = request;
    if (methods.includes(method)) return true;
    if (method === "OPTIONS" && this.#answersPreflight(request, response, methods)) return false;
    const allow = { allow: methods.join(", ") };
    this.sendError(request, response, 405, "Method not allowed", allow);
    return false;
  }

  /** Whether nobody has to say who they are. */
  get isOpen(): boolean {
    return this.#authentication === undefined;
  }

  /**
   * Who sends a request that was admitted, or why it goes no further; undefined where nobody has to
   * say. One caller may send so many requests a second, from however many addresses.
   */
  async identify(request: IncomingMessage): Promise<Authentication | Refusal | undefined> {
    const caller = await this.#authentication?.identify(request);
    if (caller === undefined || "status" in caller) return caller;
    if (caller === anybody) return this.#transport === "http" ? caller : this.#unauthorized();
    this.#streams.narrow(caller);
    if (this.#isStopping && !this.#belongsToClient(request)) return stopping;
    return this.#limited(this.#rate.take(principalOf(caller))) ?? caller;
  }

  /** The same; a request that goes no further is answered, and gives null. */
  async callerOf(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Authentication | undefined | null> {
    const caller = await this.identify(request);
    if (caller !== undefined && "status" in caller) {
      this.sendRefusal(request, response, caller);
      return null;
    }
    return caller;
  }

  /** Why a request goes no further that was let in for its headers alone, which name a public method. */
  publicRefusal(
    request: IncomingMessage,
    body: unknown,
    caller: Authentication | undefined,
  ): Refusal | undefined {
    const isRefused = caller === anybody && !isWhatHeadersSay(request, body);
    return isRefused ? this.#unauthorized() : undefined;
  }

  #unauthorized(): Refusal {
    return this.#authentication?.unauthorized(false) ?? { status: 401, message: "Unauthorized" };
  }

  /**
   * Counts messages as requests of the client that opened a connection: 0 where the next may go on,
   * else the seconds after which it may.
   */
  meter(request: IncomingMessage, caller: Authentication | undefined): () => number {
    const address = clientAddress(request, this.#proxies);
    return () => {
      const wait = this.#rate.take(address);
      if (wait > 0 || caller === undefined || caller === anybody) return wait;
      return this.#rate.take(principalOf(caller));
    };
  }

  /**
   * Why a batch goes no further, whose first message was counted as the request. Those of the older
   * eras may have up to a hundred messages; longer ones are refused for their length.
   */
  batchRefusal(
    request: IncomingMessage,
    body: unknown,
    caller: Authentication | undefined,
  ): Refusal | undefined {
    if (!Array.isArray(body) || body.length > longestBatch) return undefined;
    const take = this.meter(request, caller);
    const waits = body.slice(1).map(() => take());
    return this.#limited(Math.max(0, ...waits));
  }

  /**
   * Ends a stream when the credentials that it was opened with run out or are withdrawn, or later ones of
   * the caller lack scopes that it rests on.
   * @param scopes Those; by default all that the caller has and some item needs.
   * @returns what to call when it has ended
   */
  follow(
    request: IncomingMessage,
    caller: Authentication | undefined,
    end: () => void,
    scopes: Iterable<string> = this.#scopesOf(caller),
  ): () => void {
    if (caller === undefined) return () => undefined;
    const forget = this.#streams.add(caller, { scopes, end });
    const stopWaiting = whenExpired(caller, end);
    const isKnownByManifest = caller.via !== undefined;
    const stopAsking = isKnownByManifest && whenWithdrawn(() => this.#knows(request, caller), end);
    return () => {
      forget();
      stopWaiting();
      if (stopAsking) stopAsking();
    };
  }

  /** Whether the credentials of a request still are those of its caller; so they are while nobody can say. */
  async #knows(request: IncomingMessage, { principal }: Authentication): Promise<boolean> {
    const caller = await this.#authentication?.identify(request);
    if (caller === undefined) return true;
    if ("status" in caller) return caller.status !== 401;
    this.#streams.narrow(caller);
    return caller.principal === principal;
  }

  /** To be called after each write of an answer, so that nobody lets too much of it wait. */
  written(request: IncomingMessage): void {
    unreadAnswers.written(request.socket, () => this.addressOf(request));
  }

  /** Under what it is counted what a caller holds: its principal, or else the client's address. */
  holderOf(request: IncomingMessage, caller: Authentication | undefined): string {
    const isKnown = caller !== undefined && caller !== anybody;
    return isKnown ? principalOf(caller) : clientOf(this.addressOf(request));
  }

  /** The same where the manifest wants calls written down; undefined elsewhere. */
  get addressWanted(): ((request: IncomingMessage) => string) | undefined {
    return this.#recordsAddresses ? (request) => this.addressOf(request) : undefined;
  }

  /** The address of the client that sends a request. */
  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.#proxies);
  }

  /** Adds to the scopes that a stream rests on those that a message of the caller has, and some item needs. */
  rest(scopes: Set<string>, caller: Authentication | undefined): void {
    for (const scope of this.#scopesOf(caller)) scopes.add(scope);
  }

  #scopesOf(caller: Authentication | undefined): readonly string[] {
    return this.#scopes.filter((scope) => caller?.scopes.includes(scope));
  }

  /** Why a caller without these scopes may not go on. */
  insufficientScope(scopes: readonly string[]): Refusal {
    const refusal = this.#authentication?.insufficientScope(scopes);
    return refusal ?? { status: 403, message: "Insufficient scope" };
  }

  /** The CORS headers of an answer to this request. */
  corsHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
    return this.#guards.corsHeaders(headers.origin);
  }

  /** Answers a request that goes no further. */
  sendRefusal(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: Refusal,
    refused?: RefusedMessage,
  ): void {
    const { status, message, headers } = refusal;
    this.sendError(request, response, status, message, headers, undefined, refused);
  }

  /** Answers with an error that pages of the manifest's origins can read. */
  sendError(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    code?: number,
    { body, caller }: RefusedMessage = {},
  ): void {
    const from = { address: this.addressWanted?.(request), principal: caller?.principal };
    this.#observer?.refuse(this.#transport, { status, reason: message, code, ...from }, body);
    const all = { ...this.corsHeaders(request), ...headers };
    sendError(response, { status, message, headers: all, code }, this.#bodyBytes);
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

/** What a caller's requests are counted under; no address looks like it. */
function principalOf({ principal }: Authentication): string {
  return `principal ${principal}`;
}
