import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authentication } from "../authentication/authentication.js";
import type { RunningServer } from "../server/create-server.js";
import type { NetworkDefinition } from "./definition.js";
import { HttpAuthentication } from "../authentication/http-authentication.js";
import { anybody, matchesMethodHeader } from "../authentication/public-methods.js";
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
const longestBatch = 100;

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

  /** Starts to refuse requests of unknown clients. */
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
   * Whether a request is from a known client. It may contain the answer that a running call waits for. New
   * calls of known clients are refused later.
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

  /** Whether a request is admitted and has one of these methods. If not, it is answered here. */
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

  /** Whether callers are not authenticated. */
  get isOpen(): boolean {
    return this.#authentication === undefined;
  }

  /**
   * Authenticates the sender of an admitted request, and counts the request for the caller, independent of
   * its address.
   * @returns the caller, or why the request is refused; undefined if callers are not authenticated
   */
  async identify(request: IncomingMessage): Promise<Authentication | Refusal | undefined> {
    const caller = await this.#authentication?.identify(request);
    if (caller === undefined || "status" in caller) return caller;
    if (caller === anybody) return this.#transport === "http" ? caller : this.#unauthorized();
    this.#streams.narrow(caller);
    if (this.#isStopping && !this.#belongsToClient(request)) return stopping;
    return this.#rateRefusal(this.#rate.take(principalOf(caller))) ?? caller;
  }

  /** Does the same, and answers a refused request. @returns null if the request was refused */
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
   * Counts a message as a request of the client of a connection. @returns 0, or the seconds that the client
   * must wait
   */
  meter(request: IncomingMessage, caller: Authentication | undefined): () => number {
    const address = clientAddress(request, this.#proxies);
    return () => {
      const wait = this.#rate.take(address);
      if (wait > 0 || caller === undefined || caller === anybody) return wait;
      return this.#rate.take(principalOf(caller));
    };
  }

  /** Counts the messages of a batch after the first, which counts as the request. @returns why it is refused */
  batchRefusal(
    request: IncomingMessage,
    body: unknown,
    caller: Authentication | undefined,
  ): Refusal | undefined {
    if (!Array.isArray(body) || body.length > longestBatch) return undefined;
    const take = this.meter(request, caller);
    const waits = body.slice(1).map(() => take());
    return this.#rateRefusal(Math.max(0, ...waits));
  }

  /**
   * Ends a stream when its credentials expire or are withdrawn, or when later credentials of the caller lack
   * scopes that it needs.
   * @param scopes The scopes that it needs; by default all that the caller has and some item needs.
   * @returns a function to call when the stream has ended
   */
  follow(
    request: IncomingMessage,
    caller: Authentication | undefined,
    end: () => void,
    scopes: Iterable<string> = this.#scopesOf(caller),
  ): () => void {
    if (caller === undefined) return () => undefined;
    const removeStream = this.#streams.add(caller, { scopes, end });
    const cancelExpiry = whenExpired(caller, end);
    const isVerifiedByManifest = caller.via !== undefined;
    const cancelChecks =
      isVerifiedByManifest && whenWithdrawn(() => this.#isStillValid(request, caller), end);
    return () => {
      removeStream();
      cancelExpiry();
      if (cancelChecks) cancelChecks();
    };
  }

  /** Whether the credentials of a request are still valid. If that is unknown, they count as valid. */
  async #isStillValid(request: IncomingMessage, { principal }: Authentication): Promise<boolean> {
    const caller = await this.#authentication?.identify(request);
    if (caller === undefined) return true;
    if ("status" in caller) return caller.status !== 401;
    this.#streams.narrow(caller);
    return caller.principal === principal;
  }

  /** Must be called after each write of an answer: it limits what clients leave unread. */
  written(request: IncomingMessage): void {
    unreadAnswers.written(request.socket, () => this.addressOf(request));
  }

  /** The name under which a client's resources are counted: its principal, or else its address. */
  holderOf(request: IncomingMessage, caller: Authentication | undefined): string {
    const isKnown = caller !== undefined && caller !== anybody;
    return isKnown ? principalOf(caller) : clientOf(this.addressOf(request));
  }

  /** The function {@link addressOf} if something records addresses; otherwise undefined. */
  get recordedAddressOf(): ((request: IncomingMessage) => string) | undefined {
    return this.#recordsAddresses ? (request) => this.addressOf(request) : undefined;
  }

  /** The address of the client that sends a request. */
  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.#proxies);
  }

  /** Adds to the scopes of a stream the scopes of a message's caller that some item needs. */
  addScopes(scopes: Set<string>, caller: Authentication | undefined): void {
    for (const scope of this.#scopesOf(caller)) scopes.add(scope);
  }

  #scopesOf(caller: Authentication | undefined): readonly string[] {
    return this.#scopes.filter((scope) => caller?.scopes.includes(scope));
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

  /** Answers a refused request. */
  sendRefusal(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: Refusal,
    refused?: RefusedMessage,
  ): void {
    const { status, message, headers } = refusal;
    this.sendError(request, response, status, message, headers, undefined, refused);
  }

  /** Answers with an error, with CORS headers for the manifest's origins. */
  sendError(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    code?: number,
    { body, caller }: RefusedMessage = {},
  ): void {
    const from = { address: this.recordedAddressOf?.(request), principal: caller?.principal };
    this.#observer?.refuse(this.#transport, { status, reason: message, code, ...from }, body);
    const allHeaders = { ...this.corsHeaders(request), ...headers };
    sendError(response, { status, message, headers: allHeaders, code }, this.#bodyBytes);
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

/** The key under which a caller's requests are counted. It differs from every address. */
function principalOf({ principal }: Authentication): string {
  return `principal ${principal}`;
}
