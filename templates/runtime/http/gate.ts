import type { Authentication } from "../authentication/authentication.js";
import type { RunningServer } from "../server/create-server.js";
import type { NetworkDefinition } from "./definition.js";
import { HttpAuthentication } from "../authentication/http-authentication.js";
import { anybody, matchesMethodHeader } from "../authentication/public-methods.js";
import { after, type Awaitable } from "../engine/awaitable.js";
import { limitInWords, type Limits } from "../engine/limits.js";
import type { ExceededLimit } from "../observe/refusals.js";
import { clientAddress } from "./client-address.js";
import { FollowedStreams } from "./followed-streams.js";
import { headersProblem, HttpGuards } from "./guards.js";
import { clientOf, HttpRateLimit } from "./rate-limit.js";
import { replicasOf } from "./replicas.js";
import { refusedMethod, type PageAnswer } from "./page-answer.js";
import { isPreflight, notAllowed } from "./refused-names.js";
import type { RequestHead } from "./request-head.js";
import type { HttpError, Refusal } from "./transport.js";

/** Who sends an admitted request, or why it is refused. */
export type Sender =
  /** Callers are not authenticated. */
  | { readonly kind: "open"; readonly caller?: undefined }
  | { readonly kind: "caller"; readonly caller: Authentication }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** The parts of a refused request that were read already. */
export interface RefusedMessage {
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
  const { ratePerSecond } = server.limits;
  const rateLimit =
    rateLimits.get(server) ?? new HttpRateLimit(ratePerSecond, replicasOf(server)?.rates);
  rateLimits.set(server, rateLimit);
  return rateLimit;
}

/**
 * The first checks of every endpoint: rate limit, headers, host, origin and caller. It only decides; what has received
 * the request answers it.
 */
export class Gate {
  readonly streams: FollowedStreams;
  readonly #server: RunningServer;
  readonly #guards: HttpGuards;
  readonly #rate: HttpRateLimit;
  readonly #proxies: number;
  readonly #transport: NetworkDefinition["type"];
  readonly #authentication: HttpAuthentication | undefined;
  readonly #recordsAddresses: boolean;
  #isStopping = false;

  constructor(server: RunningServer, definition: NetworkDefinition) {
    this.#recordsAddresses = server.recordsAddresses === true;
    const authentication = server.access?.authentication;
    this.#server = server;
    this.#transport = definition.type;
    this.#authentication = authentication && new HttpAuthentication(server, authentication);
    this.#guards = new HttpGuards(definition);
    this.#rate = rateLimitOf(server);
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
  refusal(request: RequestHead): Refusal | undefined {
    const { headers } = request;
    const wait = this.#rate.take(clientAddress(request, this.#proxies));
    const rateRefusal = this.#rateRefusal(wait);
    if (rateRefusal !== undefined) return rateRefusal;
    const problem = headersProblem(request);
    if (problem !== undefined) return problem;
    if (!this.#guards.allowsHost(headers.host)) return notAllowed(request, "Host");
    if (!this.#guards.allowsOrigin(headers.origin, headers)) return notAllowed(request, "Origin");
    return this.#isStopping && !this.#belongsToClient(request) ? stopping : undefined;
  }

  /** What answers a request that is not admitted or has none of these methods; undefined if it is admitted. */
  answerUnlessAdmitted(request: RequestHead, methods: readonly string[]): PageAnswer | undefined {
    const refusal = this.refusal(request);
    if (refusal !== undefined) return { refusal };
    if (methods.includes(request.method ?? "")) return undefined;
    const headers = this.preflightHeaders(request, methods);
    if (headers !== undefined) return { status: 204, headers };
    if (isPreflight(request)) return { refusal: notAllowed(request, "Preflight") };
    return refusedMethod(methods);
  }

  /**
   * Whether a request is a message within a session or for an SSE stream. It may contain the answer that a running call
   * waits for. If it is a new call, that is refused later.
   */
  #belongsToClient({ method, headers }: RequestHead): boolean {
    if (method !== "POST") return false;
    return this.#transport === "sse" || headers["mcp-session-id"] !== undefined;
  }

  #rateRefusal(wait: number, principal?: string): Refusal | undefined {
    return wait === 0 ? undefined : tooManyRequests(this.#server.limits, wait, principal);
  }

  /** The headers of the answer to a CORS preflight; undefined if a request is none, or its origin gets no CORS. */
  preflightHeaders(
    { method, headers }: RequestHead,
    methods: readonly string[],
  ): Readonly<Record<string, string>> | undefined {
    if (method !== "OPTIONS") return undefined;
    const requested = headers["access-control-request-headers"];
    return this.#guards.preflightHeaders(
      headers.origin,
      requested === undefined ? undefined : String(requested),
      methods,
    );
  }

  /** Whether callers are not authenticated. */
  get isOpen(): boolean {
    return this.#authentication === undefined;
  }

  /**
   * Authenticates the sender of an admitted request, and counts the request for the caller, independent of
   * its address. Returns no promise if nothing has to be waited for.
   */
  identify(request: RequestHead): Awaitable<Sender> {
    if (this.#authentication === undefined) return { kind: "open" };
    return after<Authentication | Refusal, Sender>(
      this.#authentication.identify(request),
      (caller) => {
        if ("status" in caller) return { kind: "refused", refusal: caller };
        return after<Refusal | undefined, Sender>(this.#countFor(caller, request), (refusal) =>
          refusal === undefined ? { kind: "caller", caller } : { kind: "refused", refusal },
        );
      },
    );
  }

  /** Counts a request for its caller. @returns why it is refused; undefined if it is not */
  #countFor(caller: Authentication, request: RequestHead): Awaitable<Refusal | undefined> {
    if (caller === anybody) return this.#transport === "http" ? undefined : this.#unauthorized();
    this.streams.narrow(request, caller);
    if (this.#isStopping && !this.#belongsToClient(request)) return stopping;
    const client = countingKeyOf(caller);
    return after(this.#rate.whenDecided(client), () =>
      this.#rateRefusal(this.#rate.take(client), caller.principal),
    );
  }

  /** Why a request is refused that was admitted because its headers name a public method. */
  publicRefusal(
    request: RequestHead,
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
  meter(request: RequestHead, caller: Authentication | undefined): () => number {
    const address = clientAddress(request, this.#proxies);
    return () => {
      const wait = this.#rate.take(address);
      if (wait > 0 || caller === undefined || caller === anybody) return wait;
      return this.#rate.take(countingKeyOf(caller));
    };
  }

  /** Counts the messages of a batch after the first, which counts as the request. @returns why it is refused */
  async batchRefusal(
    request: RequestHead,
    body: readonly unknown[],
    caller: Authentication | undefined,
  ): Promise<Refusal | undefined> {
    if (body.length > maxBatchLength) return undefined;
    const further = body.length - 1;
    await this.#rate.whenDecided(clientAddress(request, this.#proxies), further);
    if (caller !== undefined && caller !== anybody) {
      await this.#rate.whenDecided(countingKeyOf(caller), further);
    }
    const take = this.meter(request, caller);
    const waits = body.slice(1).map(() => take());
    return this.#rateRefusal(Math.max(0, ...waits), caller?.principal);
  }

  /** The name under which a client's resources are counted: its principal, or else its address. */
  holderOf(request: RequestHead, caller: Authentication | undefined): string {
    const isKnown = caller !== undefined && caller !== anybody;
    return isKnown ? countingKeyOf(caller) : clientOf(this.addressOf(request));
  }

  /** The function {@link addressOf} if calls need it, to record it or to know callers without credentials by it. */
  get callerAddressOf(): ((request: RequestHead) => string) | undefined {
    const isNeeded = this.#recordsAddresses || this.#server.definition.usesNonces === true;
    return isNeeded ? (request) => this.addressOf(request) : undefined;
  }

  /** The address of the client that sends a request. */
  addressOf(request: RequestHead): string {
    return clientAddress(request, this.#proxies);
  }

  /** Reports that the client of an address got no memory for an answer. */
  readonly reportNoMemory = (address: string): void => {
    const where = { transport: this.#transport };
    this.#server.refusals.exceed({ limit: "answerMemory", address: clientOf(address) }, where);
  };

  /** The limit that a request exceeds, with its sender. */
  exceededBy(
    request: RequestHead,
    { limit, principal }: ExceededLimit,
    caller: Authentication | undefined,
  ): ExceededLimit {
    const address = clientOf(this.addressOf(request));
    return { limit, address, principal: principal ?? caller?.principal };
  }

  /** The refusal of a caller without these scopes. */
  insufficientScope(scopes: readonly string[]): Refusal {
    const refusal = this.#authentication?.insufficientScope(scopes);
    return refusal ?? { status: 403, message: "Insufficient scope" };
  }

  /** The CORS headers of an answer to this request. */
  corsHeaders({ headers }: RequestHead): Readonly<Record<string, string>> {
    return this.#guards.corsHeaders(headers.origin);
  }

  /**
   * Reports a refusal.
   *
   * @returns the headers of its answer: those of the refusal, and CORS headers for the manifest's origins
   */
  reportRefusal(
    request: RequestHead,
    { status, message, headers, code, cause, exceeded }: HttpError,
    { body, caller }: RefusedMessage = {},
  ): Readonly<Record<string, string>> {
    const address = this.#recordsAddresses ? this.addressOf(request) : undefined;
    const from = { address, principal: caller?.principal };
    const refusal = { status, code, ...from, ...(cause ?? { reason: message }) };
    this.#server.refusals.report(this.#transport, refusal, {
      message: body,
      ...(exceeded && { exceeded: this.exceededBy(request, exceeded, caller) }),
    });
    return { ...this.corsHeaders(request), ...headers };
  }
}

/** The refusal of a request for which there is no page. It counts as one of its client, who could try paths without end. */
export function refusalOfLost(
  server: RunningServer,
  request: RequestHead,
  proxies: number,
): HttpError {
  const wait = rateLimitOf(server).take(clientAddress(request, proxies));
  if (wait > 0) return tooManyRequests(server.limits, wait);
  return headersProblem(request) ?? { status: 404, message: "Not found" };
}

/**
 * The refusal of a client that sends more requests than it may.
 * @param seconds How long it must wait. @param principal The caller, if that is who sends too many
 */
export function tooManyRequests(limits: Limits, seconds: number, principal?: string): Refusal {
  return {
    status: 429,
    message: `Too many requests (${limitInWords(limits, "ratePerSecond")})`,
    headers: { "retry-after": String(seconds) },
    exceeded: { limit: "ratePerSecond", principal },
  };
}

/** The refusal of a client for which there is no place. */
export function tooManyClients(limits: Limits): Refusal {
  return {
    status: 503,
    message: `Too many clients (${limitInWords(limits, "sessions")})`,
    headers: { "retry-after": "60" },
    exceeded: { limit: "sessions" },
  };
}

/** The key under which the requests and slots of a caller are counted. It differs from every address. */
function countingKeyOf({ principal }: Authentication): string {
  return `principal ${principal}`;
}
