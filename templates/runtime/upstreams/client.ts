import type { BoundCall } from "../backends/backends.js";
import type { Authentication } from "../authentication/authentication.js";
import type { Masking } from "../backends/masking.js";
import { abortSignalOf } from "../backends/stop-signal.js";
import type { ActedFor } from "../context/acting.js";
import type { AnswerMemory } from "../context/answer-memory.js";
import type { StopSignal } from "../engine/cancellation.js";
import { CallTimeout, ToolError } from "../engine/errors.js";
import { defaultAnswerBytes } from "../engine/limits.js";
import { refuseTakenNames } from "./added-names.js";
import { UpstreamAnswer } from "./answer.js";
import type { UpstreamConnection } from "./connection.js";
import type { Credentials } from "./credentials.js";
import type { RequestRetries } from "./definition.js";
import { exchange, type ReadLimits } from "./exchange.js";
import { logOutcome, logUnanswered, type LoggedRequest, type Outcome } from "./failure-log.js";
import { failureOf, RequestFailure, uncertainFailure } from "./failures.js";
import {
  REDIRECTS,
  type IncomingAnswer,
  type OutgoingRequest,
  type TraceRequest,
} from "./messages.js";
import { textOf } from "../engine/content.js";
import type { PageCursors } from "./page-cursors.js";
import { itemsOfPages, type NextPage, type Pages } from "./pages.js";
import { hasFiles, multipartBody, withReadFiles } from "./multipart.js";
import { cookieText, formText, headersOf, queryText, type Values } from "./parameters.js";
import { placeAt, placeBelow, referredUrl, type Place } from "./place.js";
import { waitBefore, waitFor } from "./retry.js";
import type { Method, Upstream, UpstreamRequest } from "./upstream.js";

/** The methods of requests that change nothing (RFC 9110). */
const SAFE_METHODS: readonly Method[] = ["GET", "HEAD", "OPTIONS"];

/** The methods of requests that do something again when they are sent again (RFC 9110). */
const REPEATING_METHODS: readonly Method[] = ["POST", "PATCH"];

/** A request without its credentials. */
interface Target {
  readonly method: Method;
  readonly place: Place;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** The call for which an upstream is asked. */
export interface UpstreamCall {
  /** For requests that failed, and answers that could not be read. */
  readonly log?: BoundCall["log"] | undefined;
  /** Stops the requests of the call. */
  readonly signal: StopSignal;
  /** The memory in which long answers are reserved before they are read. */
  readonly memory?: AnswerMemory | undefined;
  /** Who calls; undefined if callers are not authenticated. */
  readonly principal?: string | undefined;
  /** All that is known of who calls. */
  readonly caller?: Authentication | undefined;
  /** Gets the upstreams that were asked in the caller's name. */
  readonly actedFor?: ActedFor[] | undefined;
  /** The keys of the cursors of pages. The first seals, all open. */
  readonly keys: readonly string[];
}

/** An upstream for one call. */
export class UpstreamClient implements Upstream {
  readonly #connection: UpstreamConnection;
  readonly #call: UpstreamCall;
  readonly #signal: StopSignal;
  /** Masks the secrets of the upstream, and the credentials of the caller. */
  #masking: Masking;

  constructor(connection: UpstreamConnection, call: UpstreamCall) {
    this.#connection = connection;
    this.#call = call;
    this.#signal = call.signal;
    this.#masking = connection.masking;
  }

  readonly get = (path: string, request?: UpstreamRequest): Promise<UpstreamAnswer> =>
    this.request("GET", path, request);
  readonly head = (path: string, request?: UpstreamRequest): Promise<UpstreamAnswer> =>
    this.request("HEAD", path, request);
  readonly post = (path: string, request?: UpstreamRequest): Promise<UpstreamAnswer> =>
    this.request("POST", path, request);
  readonly put = (path: string, request?: UpstreamRequest): Promise<UpstreamAnswer> =>
    this.request("PUT", path, request);
  readonly patch = (path: string, request?: UpstreamRequest): Promise<UpstreamAnswer> =>
    this.request("PATCH", path, request);
  readonly delete = (path: string, request?: UpstreamRequest): Promise<UpstreamAnswer> =>
    this.request("DELETE", path, request);

  async request(
    method: Method,
    path: string,
    request: UpstreamRequest = {},
  ): Promise<UpstreamAnswer> {
    const { pages, query = {}, form = {}, multipart = {} } = request;
    refuseTakenNames([query, form, multipart], () => this.#fixedNames(path, pages));
    if (pages === undefined) return this.#answer(method, this.#placeOf(path, query), request);
    const { expose } = pages;
    const cursors = expose && (await this.#cursorsOf(method, path, request));
    const start = expose?.cursor ? cursors?.open(expose.cursor) : undefined;
    const source = {
      fetch: (page: NextPage) => this.#answer(method, this.#pageOf(path, request, page), request),
      hold: (bytes: number) => this.#call.memory?.foresee(bytes),
    };
    const { answer, count, items, next } = await itemsOfPages(pages, source, start);
    if (items === undefined) return answer;
    const { status, headers } = answer;
    const lastAnswer = { status, headers, body: Buffer.alloc(0), isTruncated: false };
    const more =
      cursors === undefined
        ? { ...(next && { maxPages: count }) }
        : { isExposed: true, nextCursor: next && cursors.seal(next) };
    const fetched = { items, ...more };
    return new UpstreamAnswer(this.#name, lastAnswer, this.#masking, fetched);
  }

  /** The cursors of a request: only the same request of the same caller takes them. */
  async #cursorsOf(method: Method, path: string, request: UpstreamRequest): Promise<PageCursors> {
    const { PageCursors: Cursors } = await import("./page-cursors.js");
    const { query, headers, cookies, json, form, multipart, text, bytes } = request;
    const content = { query, headers, cookies, json, form, multipart, text, bytes };
    const { principal, keys } = this.#call;
    return new Cursors(keys, [this.#name, method, path, content, principal ?? null]);
  }

  /** The names of the parameters that are no argument's: those of the URLs, of the credential and of pages. */
  #fixedNames(path: string, { cursor, page }: Partial<Pages> = {}): string[] {
    const { base, definition } = this.#connection;
    const { auth } = definition;
    const pathQuery = new URLSearchParams(path.split("?").slice(1).join("?"));
    return [
      ...pathQuery.keys(),
      ...base.names,
      ...(auth?.kind === "query" ? [auth.name] : []),
      ...(cursor === undefined ? [] : [cursor.query]),
      ...(page === undefined ? [] : [page.query]),
    ];
  }

  get #name(): string {
    return this.#connection.definition.name;
  }

  async #answer(method: Method, place: Place, request: UpstreamRequest): Promise<UpstreamAnswer> {
    const { definition } = this.#connection;
    const { maxBytes = defaultAnswerBytes.backend, truncate = false } = request;
    const { multipart } = request;
    const readable =
      multipart !== undefined && hasFiles(multipart)
        ? { ...request, multipart: await withReadFiles(multipart) }
        : request;
    const target = { method, place, ...this.#contentOf(readable) };
    const { timeoutMs } = definition;
    const isUnsafe = !SAFE_METHODS.includes(method);
    // What a request has changed is changed, however long its answer is, and even if that breaks off.
    const limits = {
      ...{ timeoutMs, maxBytes, memory: this.#call.memory },
      ...{ truncate: truncate || isUnsafe, keepBroken: isUnsafe },
    };
    const answer = await this.#withRetries(target, limits, this.#retriesOf(method, request));
    if (answer.breakage !== undefined) this.#reportBroken(answer, answer.breakage);
    const isTooLong = answer.isTruncated && (!truncate || answer.breakage !== undefined);
    const received = { ...answer, isHead: method === "HEAD", isUnsafe, isTooLong };
    return new UpstreamAnswer(definition.name, received, this.#masking);
  }

  #reportBroken({ status, body }: IncomingAnswer, { message: problem }: ToolError): void {
    this.#call.log?.warning(
      "an upstream answered with success, but its answer could not be read to its end",
      { upstream: this.#name, status, bytes: body.length, problem },
    );
  }

  #contentOf(request: UpstreamRequest): Pick<Target, "headers" | "body"> {
    const { usualHeaders: configured } = this.#connection;
    const { type, body } = bodyOf(request);
    if (type === undefined && request.headers === undefined && request.cookies === undefined) {
      return { headers: configured, body };
    }
    const cookie = cookieText(request.cookies ?? {});
    const headers = {
      ...configured,
      ...(type !== undefined && { "content-type": type }),
      ...headersOf(request.headers ?? {}),
      ...(cookie !== undefined && { cookie }),
    };
    return { headers, body };
  }

  /** @throws ToolError if the path leads outside of the base URL */
  #placeOf(path: string, query: Values = {}): Place {
    const place = placeBelow(this.#connection.base, path, queryText(query));
    if (place !== undefined) return place;
    throw new ToolError(`The path is none of the upstream ${this.#name}.`);
  }

  #pageOf(path: string, request: UpstreamRequest, next: NextPage): Place {
    const { pages, form = {}, multipart = {} } = request;
    const query = { ...request.query, ...next.query };
    // The cursor may be an object, too.
    refuseTakenNames([query, form, multipart], () => this.#fixedNames(path, pages));
    const place = this.#placeOf(path, query);
    if (next.reference === undefined) return place;
    const url = referredUrl(place, next.reference);
    // The next page must belong to this upstream.
    if (url?.origin !== place.origin) {
      throw new ToolError(`The upstream ${this.#name} names a next page of another origin.`);
    }
    return placeAt(url);
  }

  /** When a request is sent again. */
  #retriesOf(method: Method, { retries }: UpstreamRequest): RequestRetries {
    const { definition, retries: mayRetry } = this.#connection;
    const ofMethod = definition.retries?.methods.includes(method) ? definition.retries : undefined;
    return (mayRetry ? (retries ?? ofMethod) : undefined) ?? { max: 0, on: [] };
  }

  async #withRetries(
    target: Target,
    limits: ReadLimits,
    { max, on }: RequestRetries,
  ): Promise<IncomingAnswer> {
    const { maxWaitMs } = this.#connection;
    const { log } = this.#call;
    let wasUncertain = false;
    for (let retries = 0; ; retries++) {
      const request = { upstream: this.#name, method: target.method, retries };
      const outcome = await this.#attempt(target, limits, request);
      const hasAnswer = "answer" in outcome;
      const isTemporary = hasAnswer ? on.includes(outcome.answer.status) : outcome.isTemporary;
      const retryAfter = hasAnswer ? outcome.answer.headers["retry-after"] : undefined;
      const wait = waitBefore(retries, retryAfter);
      if (!isTemporary || retries >= max || wait > maxWaitMs) {
        logOutcome(log, request, outcome);
        if (hasAnswer) return outcome.answer;
        if (!REPEATING_METHODS.includes(target.method)) throw outcome.error;
        throw uncertainFailure(outcome, wasUncertain);
      }
      wasUncertain ||= !hasAnswer && outcome.isUncertain === true;
      await waitFor(wait, abortSignalOf(this.#signal)).catch((reason: unknown) => {
        logOutcome(log, request, outcome);
        throw reason;
      });
    }
  }

  /** Sends a request once. @returns the answer, or the error if there is none. @throws the signal's reason */
  async #attempt(target: Target, limits: ReadLimits, request: LoggedRequest): Promise<Outcome> {
    try {
      return { answer: await this.#sendWithCredentials(target, limits) };
    } catch (error) {
      const { reason } = this.#signal;
      if (reason instanceof CallTimeout) logUnanswered(this.#call.log, request, reason);
      if (reason !== undefined) throw reason;
      return failureOf(this.#name, error, limits.timeoutMs);
    }
  }

  /** Sends a request, and sends it again with new credentials if the upstream refuses the first ones. */
  async #sendWithCredentials(target: Target, limits: ReadLimits): Promise<IncomingAnswer> {
    const { authenticator } = this.#connection;
    const { caller } = this.#call;
    const credentials = await authenticator.credentials(this.#signal, caller);
    this.#masking = credentials.masking ?? this.#masking;
    this.#record(credentials);
    const answer = await this.#sendAndFollow(target, credentials, limits);
    if (answer.status !== 401 || !authenticator.refused(credentials, caller)) return answer;
    const renewed = await authenticator.credentials(this.#signal, caller);
    this.#masking = renewed.masking ?? this.#masking;
    return this.#sendAndFollow(target, renewed, limits);
  }

  /** Notes once for each call in whose name the upstream is asked. */
  #record({ acting }: Credentials): void {
    const { actedFor } = this.#call;
    const upstream = this.#name;
    if (acting === undefined || actedFor?.some((one) => one.upstream === upstream)) return;
    actedFor?.push({ upstream, ...acting });
  }

  /** Sends a request and follows redirects. Once they have left the origin, no credentials are sent any more. */
  async #sendAndFollow(
    first: Target,
    credentials: Credentials,
    limits: ReadLimits,
  ): Promise<IncomingAnswer> {
    const { agent, definition, trace = withoutSpan } = this.#connection;
    const send = (request: OutgoingRequest): Promise<IncomingAnswer> =>
      exchange(agent, request, limits, this.#signal, definition.name);
    let target = first;
    let hasLeft = false;
    for (let redirects = 0; ; redirects++) {
      const request = hasLeft ? outgoing(target) : withCredentials(target, credentials);
      const acting = hasLeft ? undefined : credentials.acting;
      const answer = await trace(definition.name, request, send, acting);
      const next = redirects < definition.redirects ? redirectTarget(target, answer) : undefined;
      if (next === undefined) return answer;
      hasLeft ||= next.place.origin !== first.place.origin;
      target = hasLeft ? this.#withoutSecrets(next) : next;
    }
  }

  /** The target without the headers for the upstream. @throws RequestFailure if it has a body */
  #withoutSecrets(target: Target): Target {
    if (target.body !== undefined) {
      throw new RequestFailure(
        `The upstream ${this.#name} redirects a request with a body elsewhere.`,
      );
    }
    const { accept = "*/*", "accept-encoding": encoding = "identity" } = target.headers;
    return { ...target, headers: { accept, "accept-encoding": encoding } };
  }
}

const withoutSpan: TraceRequest = (_name, request, send) => send(request);

function outgoing({ method, place, headers, body }: Target): OutgoingRequest {
  return { method, origin: place.origin, path: place.path, headers, body };
}

function withCredentials(target: Target, credentials: Credentials): OutgoingRequest {
  const request = outgoing(target);
  const { headers, query, cookie } = credentials;
  if (headers === undefined && query === undefined && cookie === undefined) return request;
  const separator = request.path.includes("?") ? "&" : "?";
  const cookies = [request.headers["cookie"], cookie].filter(Boolean).join("; ");
  return {
    ...request,
    path: query === undefined ? request.path : request.path + separator + queryText(query),
    headers: {
      ...request.headers,
      ...headers,
      ...(cookie !== undefined && { cookie: cookies }),
    },
  };
}

/** The target of a redirect; undefined if the answer is no redirect, or does not lead to an http or https URL. */
function redirectTarget(target: Target, { status, headers }: IncomingAnswer): Target | undefined {
  const { location } = headers;
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const url = referredUrl(target.place, location);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const place = placeAt(url);
  const keepsMethod = status >= 307 || target.method === "GET" || target.method === "HEAD";
  if (keepsMethod) return { ...target, place };
  const { "content-type": _type, ...headersWithoutType } = target.headers;
  return { method: "GET", place, headers: headersWithoutType };
}

function bodyOf({ json, form, multipart, text, bytes }: UpstreamRequest): {
  type?: string;
  body?: string | Uint8Array;
} {
  if (json !== undefined) return { type: "application/json", body: JSON.stringify(json) };
  if (form !== undefined) {
    return { type: "application/x-www-form-urlencoded", body: formText(form) };
  }
  if (multipart !== undefined) return multipartBody(multipart);
  if (text !== undefined) return { type: "text/plain; charset=utf-8", body: textOf(text) };
  if (bytes !== undefined) return { type: "application/octet-stream", body: bytes };
  return {};
}
