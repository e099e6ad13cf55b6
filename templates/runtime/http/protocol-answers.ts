import type { Authentication } from "../authentication/authentication.js";
import { subscriptionRefusal } from "../connections/subscription-limit.js";
import { LongTexts } from "../engine/long-texts.js";
import { requestIdMember } from "../engine/request-parameters.js";
import { someTurns } from "../memory/budget.js";
import type { CallMemory } from "../memory/call-memory.js";
import type { RunningServer } from "../server/create-server.js";
import type { FetchOptions } from "../server/requests.js";
import { answerForm, type AnswerForm } from "./accept.js";
import { isEventStream } from "./answer-bytes.js";
import { collectedAnswer } from "./collected-answer.js";
import type { HttpDefinition } from "./definition.js";
import type { Gate } from "./gate.js";
import { observeAnswer } from "./observation.js";
import type { RefusedAnswer } from "./page-answer.js";
import { rememberMemory } from "./request-data.js";
import type { RequestHead } from "./request-head.js";
import { toFetchRequest } from "./sdk-request.js";
import { Slots } from "./slots.js";

/** A request that has passed the guards, with its JSON body if it has one. */
export interface HttpRequest {
  readonly request: Request;
  readonly parsedBody?: unknown;
  /** The authenticated caller; undefined where callers are not authenticated. */
  readonly authentication?: Authentication | undefined;
  /** The name under which the client's sessions, subscriptions and questions are counted. */
  readonly holder: string;
  /** The client's address; undefined if nothing records it. */
  readonly address?: string | undefined;
  /** Aborted when the exchange is over: its answer was written, or the client has disconnected. */
  readonly over: AbortSignal;
}

/** Serves clients of the older eras that have a session. */
export interface SessionServer {
  /** The answer to a request that belongs to a session or opens one; undefined for other requests. */
  answer(request: HttpRequest): Promise<Response | undefined>;
  /** The scopes that a request needs because of what it concerns in its session, if its caller lacks one. */
  unmetScopes(
    request: Pick<HttpRequest, "parsedBody" | "authentication"> & {
      readonly request: Pick<Request, "headers">;
    },
  ): readonly string[] | undefined;
  /** Ends every session. */
  close(): Promise<void>;
}

/** An admitted request whose body has arrived, and what is known of it. */
export interface ReceivedMessage extends Pick<FetchOptions, "outcome"> {
  /** The time when its body had arrived, by `performance.now()`. */
  readonly startedAt: number;
  readonly head: RequestHead;
  readonly parsedBody: unknown;
  readonly caller: Authentication | undefined;
  /** Aborted when the exchange is over. */
  readonly over: AbortSignal;
}

/** What a runtime does with the exchange of a request. */
export interface AnsweredExchange {
  /** The memory of the next call of the request. */
  nextCall(): CallMemory;
  /** Calls back when the exchange is over: its answer was sent, or the client has gone. */
  whenOver(callback: () => void): void;
  /** Ends the stream of an answer, as if there were no more to send. */
  endStream(): void;
  /** Breaks the exchange off. */
  breakOff(): void;
  /** Keeps a slow exchange alive. @returns a function to call when the answer is there */
  keepAlive(form: AnswerForm, headers: Readonly<Record<string, string>>): () => void;
}

/** The answer of a session or of the SDK. */
export interface ProtocolAnswer {
  readonly answer: Response;
  /** The long texts for the marks in it. */
  readonly longTexts: LongTexts;
  /** The headers that it needs beside its own. */
  readonly cors: Readonly<Record<string, string>>;
  /** Called when it was sent; undefined if that matters to nobody. */
  readonly conclude: (() => void) | undefined;
}

/**
 * How many copies of a result are in memory until it is written: usually its bytes. Where streams are resumable, the SDK
 * makes its JSON, too.
 */
const copies = { usual: 1, resumable: 2 };

/**
 * Answers the admitted requests of one endpoint by a session or the SDK. Which checks they pass, in which order, is decided
 * here for every runtime; how bodies arrive and answers leave is the runtime's own.
 */
export class ProtocolAnswers {
  readonly #server: RunningServer;
  readonly #gate: Gate;
  readonly #sessions: SessionServer | undefined;
  readonly #subscriptions: Slots;
  readonly #copies: number;
  /** Undefined if nothing records addresses. */
  readonly #addressOf: ((request: RequestHead) => string) | undefined;

  constructor(
    server: RunningServer,
    { resumable }: Pick<HttpDefinition, "resumable">,
    gate: Gate,
    sessions?: SessionServer,
  ) {
    this.#server = server;
    this.#gate = gate;
    this.#sessions = sessions;
    this.#copies = resumable ? copies.resumable : copies.usual;
    this.#subscriptions = new Slots(server.limits.subscriptions);
    this.#addressOf = gate.callerAddressOf;
  }

  /** The answer to a request, or its refusal, which the caller has to send. */
  async answer(
    message: ReceivedMessage,
    exchange: AnsweredExchange,
  ): Promise<ProtocolAnswer | RefusedAnswer> {
    const { head, parsedBody, caller, over, outcome, startedAt } = message;
    const refusal =
      this.#gate.publicRefusal(head, parsedBody, caller) ??
      (Array.isArray(parsedBody)
        ? await this.#gate.batchRefusal(head, parsedBody, caller)
        : undefined);
    if (refusal !== undefined) return { refusal, caller };
    const request = toFetchRequest(head, over);
    const body = parsedBody === undefined ? {} : { parsedBody };
    const scopes =
      this.#server.access?.unmetScopes(parsedBody, caller) ??
      this.#sessions?.unmetScopes({ request, ...body, authentication: caller });
    if (scopes !== undefined) return { refusal: this.#gate.insufficientScope(scopes), caller };
    if (isStream(head)) this.#follow(message, exchange);
    const holder = this.#gate.holderOf(head, caller);
    const excess = isListening(head)
      ? await this.#takeSlot(exchange, holder, parsedBody)
      : undefined;
    const address = this.#addressOf?.(head);
    const sender = { ...body, authentication: caller, address };
    const cors = this.#gate.corsHeaders(head);
    const form = answerForm(head.headers.accept) ?? "json";
    const { longTexts, stop } = this.#keepForCalls(request, exchange, form, cors);
    const ofSession = await this.#sessions?.answer({ request, ...sender, holder, over });
    const ofSdk =
      ofSession ?? excess ?? (await this.#server.fetch(request, { ...sender, outcome, startedAt }));
    const isToCollect = form === "json" && head.method === "POST" && !isListening(head);
    const answer =
      isToCollect && isEventStream(ofSdk)
        ? await collectedAnswer(ofSdk, Array.isArray(parsedBody))
        : ofSdk;
    stop();
    const { observer } = this.#server;
    const isOfSession = ofSession !== undefined;
    const conclude =
      observer && (await observeAnswer(observer, request, answer, parsedBody, isOfSession));
    return { answer, longTexts, cors, conclude };
  }

  /**
   * Keeps the memory and the long texts of a request for its calls. While these run, their exchange is kept alive.
   * @returns the long texts of the answers, and what stops keeping the exchange alive
   */
  #keepForCalls(
    request: Request,
    exchange: AnsweredExchange,
    form: AnswerForm,
    cors: Readonly<Record<string, string>>,
  ): { readonly longTexts: LongTexts; stop(): void } {
    const longTexts = new LongTexts();
    let stop: (() => void) | undefined;
    rememberMemory(request, {
      longTexts,
      nextCall: () => {
        // The SDK says of its streams that they are alive, and answers at once where it sends one.
        stop ??= exchange.keepAlive(form, cors);
        return exchange.nextCall().withCopies(this.#copies);
      },
    });
    return { longTexts, stop: () => stop?.() };
  }

  /**
   * Takes a slot for a subscription; another holder may lose one for it. @returns the refusal if there is none
   */
  async #takeSlot(
    exchange: AnsweredExchange,
    holder: string,
    body: unknown,
  ): Promise<Response | undefined> {
    const slot = this.#subscriptions.take({ holder, end: () => exchange.breakOff() });
    if (slot === undefined) {
      const limit = this.#server.refusals.exceed({ limit: "subscriptions", address: holder });
      return subscriptionRefusal(requestIdMember(body, "id"), limit);
    }
    exchange.whenOver(slot.release);
    // Until its connection has closed, the SDK still counts a subscription that has lost its slot.
    await someTurns();
    return undefined;
  }

  /** Ends a stream when the credentials of its request become invalid. */
  #follow({ head, caller, parsedBody }: ReceivedMessage, exchange: AnsweredExchange): void {
    // A subscription needs the scopes of its resources; the stream of a session needs all that it was opened with.
    const scopes = isListening(head)
      ? (this.#server.access?.neededScopes(parsedBody, caller) ?? [])
      : undefined;
    exchange.whenOver(this.#gate.streams.follow(head, caller, () => exchange.endStream(), scopes));
  }
}

/** Whether the answer is a stream that stays open until it is closed. */
export function isStream(head: Pick<RequestHead, "method" | "headers">): boolean {
  return head.method === "GET" || isListening(head);
}

function isListening({ headers }: Pick<RequestHead, "headers">): boolean {
  return headers["mcp-method"] === "subscriptions/listen";
}
