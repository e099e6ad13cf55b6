import type { Authentication } from "../authentication/authentication.js";
import { protectedResourcePage } from "../authentication/protected-resource-page.js";
import { unforeseenError } from "../engine/errors.js";
import { refusalJson } from "../http/answer-bytes.js";
import type { HttpDefinition } from "../http/definition.js";
import { Gate, refusalOfLost } from "../http/gate.js";
import { headersProblem } from "../http/guards.js";
import { BodyRules, type JsonBody } from "../http/json-body.js";
import type { PageAnswer, PlainPage, RefusedAnswer } from "../http/page-answer.js";
import { plainPages } from "../http/pages.js";
import { ProtocolAnswers } from "../http/protocol-answers.js";
import { clientOf } from "../http/rate-limit.js";
import type { RequestHead } from "../http/request-head.js";
import { pageAt } from "../http/request-path.js";
import type { RunningServer } from "../server/create-server.js";
import { FetchBodies } from "./body.js";
import { FetchExchange, ownHeaders } from "./exchange.js";
import { headOf, noRequest } from "./request-head.js";

/** The methods of the endpoint's path. There are no sessions, whose clients would use others. */
const METHODS: readonly string[] = ["POST"];

type WaitUntil = (work: Promise<unknown>) => void;
type Route = (request: Request, head: RequestHead, waitUntil: WaitUntil) => Promise<Response>;

/** Answers requests of the web's own type as the endpoint of the transport `http`. */
export class FetchEndpoint {
  readonly #server: RunningServer;
  readonly #proxies: number;
  readonly #gate: Gate;
  /** What answers a request, by path. */
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #takePage: ((head: RequestHead) => ReturnType<PlainPage> | undefined) | undefined;
  readonly #bodies: FetchBodies;
  readonly #answers: ProtocolAnswers;

  constructor(server: RunningServer, definition: HttpDefinition) {
    this.#server = server;
    this.#proxies = definition.trustProxy;
    this.#gate = new Gate(server, definition);
    const pages = [...protectedResourcePage(server), ...plainPages(server, definition, this.#gate)];
    this.#routes = new Map<string, Route>([
      ...pages.map(([path, page]) => [path, this.#routeTo(page)] as const),
      [definition.path, (request, head, waitUntil) => this.#enter(request, head, waitUntil)],
    ]);
    this.#takePage = server.definition.createPage?.(this.#gate, server, definition);
    const { limits } = server;
    this.#bodies = new FetchBodies(new BodyRules(limits, server.definition), limits);
    this.#answers = new ProtocolAnswers(server, definition, this.#gate);
  }

  /** Refuses what has not begun, since the runtime ends. */
  close(): void {
    this.#gate.close();
  }

  /**
   * Answers a request.
   * @param address The client's address, if the runtime knows it.
   * @param waitUntil Called with what outlasts the answer's begin: the rest of its exchange.
   */
  async answer(
    request: Request,
    address: string | undefined,
    waitUntil: WaitUntil = () => undefined,
  ): Promise<Response> {
    const head = headOf(request, address);
    if (head === undefined) return noRequest();
    const { traceHeaders } = this.#server.definition;
    const answered = (): Promise<Response> => this.#answer(request, head, waitUntil);
    try {
      return await (traceHeaders?.(head.headers, answered) ?? answered());
    } catch (error) {
      const { code, message } = unforeseenError(error, this.#server.log, "request failed");
      return this.#refuse(head, { refusal: { status: 500, code, message } });
    }
  }

  async #answer(request: Request, head: RequestHead, waitUntil: WaitUntil): Promise<Response> {
    const route = headersProblem(head) === undefined ? pageAt(this.#routes, head) : undefined;
    if (route !== undefined) return route(request, head, waitUntil);
    return this.#refuse(head, { refusal: refusalOfLost(this.#server, head, this.#proxies) });
  }

  #routeTo(page: PlainPage): Route {
    return async (_request, head) => this.#send(head, await page(head));
  }

  /** Answers a request to the endpoint's path. */
  async #enter(request: Request, head: RequestHead, waitUntil: WaitUntil): Promise<Response> {
    const page = await this.#takePage?.(head);
    const answer = page ?? this.#gate.answerUnlessAdmitted(head, METHODS);
    if (answer !== undefined) return this.#send(head, answer);
    const sender = await this.#gate.identify(head);
    if (sender.kind === "refused") return this.#refuse(head, sender);
    const { caller } = sender;
    const body = await this.#bodies.read(request, head, caller);
    if ("refusal" in body) return this.#refuse(head, body);
    const holder = clientOf(this.#gate.addressOf(head));
    const exchange = new FetchExchange(request.signal, holder, this.#gate.reportNoMemory);
    // A call that the runtime ended with its request would never give back its place.
    waitUntil(new Promise<void>((resolve) => exchange.whenOver(resolve)));
    return this.#exchange(exchange, head, body, caller);
  }

  async #exchange(
    exchange: FetchExchange,
    head: RequestHead,
    { parsedBody }: JsonBody,
    caller: Authentication | undefined,
  ): Promise<Response> {
    const startedAt = performance.now();
    const { over } = exchange;
    const answered = this.#answers
      .answer({ head, parsedBody, caller, startedAt, over }, exchange)
      .then((answer) => {
        if (!("refusal" in answer)) return exchange.respond(answer);
        exchange.end();
        return this.#refuse(head, answer, parsedBody);
      });
    // What fails after the answer has begun can only break it off.
    answered.catch(() => exchange.breakOff());
    return Promise.race([answered, exchange.begun]);
  }

  #send(head: RequestHead, answer: PageAnswer): Response {
    if ("refusal" in answer) return this.#refuse(head, answer);
    const { status, headers, body } = answer;
    const isWithout = head.method === "HEAD" || body === undefined;
    return new Response(isWithout ? null : (body as string), {
      status,
      headers: ownHeaders(headers),
    });
  }

  #refuse(head: RequestHead, { refusal, caller }: RefusedAnswer, body?: unknown): Response {
    const headers = this.#gate.reportRefusal(head, refusal, { body, caller });
    const json = head.method === "HEAD" ? null : refusalJson(refusal);
    return new Response(json, {
      status: refusal.status,
      headers: { "content-type": "application/json", ...ownHeaders(headers) },
    });
  }
}
