import type {
  ClientCapabilities,
  JSONRPCMessage,
  RequestId,
  Result,
} from "@modelcontextprotocol/server";
import type { Caller, Era } from "../context/context.js";
import { Cancellation } from "../engine/cancellation.js";
import type { Engine } from "../engine/engine.js";
import {
  hasOnly,
  isObject,
  requestIdMember,
  type RequestParameters,
} from "../engine/request-parameters.js";
import { WaitGroup } from "../engine/wait-group.js";
import { outcomeOf, type RequestObserver } from "../observe/request-observer.js";
import { ClientLogLevel } from "../server/client-log-level.js";
import { answerEnd, FastPathAnswers, partsOf } from "./answers.js";
import { fastPathMethods, startCall, handshakeResult, callerNotifications } from "./calls.js";
import {
  isInitialized,
  isOptionalToken,
  readHandshake,
  readLegacyRequest,
  readLevel,
  type Handshake,
} from "./legacy-request.js";
import {
  modernCapabilitiesIn,
  emptyMeta,
  metaKeys,
  readFastPathRequest,
  readRequest,
  type FastPathMethods,
  type FastPathRequest,
} from "./request.js";

export interface ConnectionFastPathOptions {
  /** Observes the requests that are answered without the SDK; undefined if nothing observes requests. */
  readonly observer: RequestObserver | undefined;
  /** Sends a message, which consists of these parts of its JSON. */
  send(...parts: readonly (string | Buffer)[]): void;
}

/**
 * Answers messages of one lasting connection directly from the engine, so that the SDK need
 * not be loaded for them. It answers only requests that succeed. Failed requests and all unusual
 * messages go to the SDK, which first gets the earlier messages about the session.
 */
export class ConnectionFastPath {
  readonly handled = new HandledRequests();
  readonly #engine: Engine;
  readonly #options: ConnectionFastPathOptions;
  readonly #methods: FastPathMethods;
  readonly #needsSdk: ((request: FastPathRequest) => boolean) | undefined;
  readonly #answers: Readonly<Record<Era, FastPathAnswers>>;
  readonly #running = new Map<RequestId, Cancellation>();
  readonly #pending = new WaitGroup<RequestId>();
  /** The message that decided the client's era, and the latest messages about the session. */
  readonly #earlierMessages = new Map<"era" | "initialized" | "level", JSONRPCMessage>();
  /** The client's era: `undecided` until a message decides it, `sdk` if the SDK has to decide it. */
  #era: Era | "undecided" | "sdk" = "undecided";
  /** Whether the SDK has received a message. From then on it receives all messages about the session. */
  #isSdkInUse = false;
  /** The capabilities that the client declared in its handshake. */
  #clientCapabilities: ClientCapabilities = {};
  readonly #logLevel = new ClientLogLevel();

  constructor(engine: Engine, options: ConnectionFastPathOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#methods = fastPathMethods(engine);
    this.#needsSdk = engine.definition.legacyExceptions?.(engine);
    const modern = new FastPathAnswers(engine.definition.info);
    this.#answers = { modern, legacy: new FastPathAnswers() };
  }

  /** The messages that the SDK must receive before any other. */
  get earlierMessages(): JSONRPCMessage[] {
    return [...this.#earlierMessages.values()];
  }

  /**
   * Answers a message, or passes it to the SDK: immediately, or after its handler has run.
   * @param message The parsed message; undefined if it is not valid.
   */
  take(message: unknown, passToSdk: () => void): void {
    const handOver = (): void => {
      this.#isSdkInUse = true;
      passToSdk();
    };
    if (!this.#tryMessage(message, handOver)) handOver();
  }

  /** Resolves when all requests that were taken have their answers, at the latest after this time. */
  answeredWithin(milliseconds: number): Promise<void> {
    return this.#pending.doneWithin(milliseconds);
  }

  /** Cancels the running calls, which then get no answers. */
  close(): void {
    for (const cancellation of this.#running.values())
      cancellation.cancel(new Error("Connection closed"));
  }

  /** Answers a message without the SDK, if it can. @returns whether the message needs no further treatment */
  #tryMessage(message: unknown, passToSdk: () => void): boolean {
    if (isObject(message) && this.#tryCancel(message)) return true;
    switch (this.#era) {
      case "sdk":
        return false;
      case "undecided":
        return this.#tryFirst(message, passToSdk);
      case "modern":
        return this.#tryModern(message, passToSdk);
      case "legacy":
        return this.#tryLegacy(message, passToSdk);
    }
  }

  /** Takes a message of a client whose era is not decided yet. */
  #tryFirst(message: unknown, passToSdk: () => void): boolean {
    const handshake = readHandshake(message);
    if (handshake !== undefined) return this.#tryHandshake(message as JSONRPCMessage, handshake);
    const request = readRequest(message);
    const { method, params } = request ?? {};
    // A request for the capabilities does not decide the client's era.
    if (method === "server/discover" && this.#tryModern(message, passToSdk)) return true;
    const hasNoEra = method === undefined || ["server/discover", "initialize"].includes(method);
    if (hasNoEra || !claimsModernEra(isObject(params) ? params["_meta"] : undefined)) {
      this.#era = "sdk";
      return false;
    }
    this.#era = "modern";
    this.#earlierMessages.set("era", modernEraMessage);
    return this.#tryModern(message, passToSdk);
  }

  #tryHandshake(message: JSONRPCMessage, handshake: Handshake): boolean {
    const { definition, legacyCapabilities: capabilities, runner } = this.#engine;
    // From the start, the SDK serves clients that may get questions or notifications of changes.
    const isQuiet = definition.createControls === undefined && runner === undefined;
    if (definition.protocol.legacy !== "serve" || !isQuiet) {
      this.#era = "sdk";
      return false;
    }
    this.#era = "legacy";
    this.#clientCapabilities = handshake.capabilities;
    this.#earlierMessages.set("era", message);
    this.#answerAtOnce(message, handshake.id, handshakeResult(handshake, definition, capabilities));
    return true;
  }

  #tryModern(message: unknown, passToSdk: () => void): boolean {
    const request = readFastPathRequest(message, this.#methods);
    return request !== undefined && this.#tryStart(request, "modern", passToSdk);
  }

  #tryLegacy(message: unknown, passToSdk: () => void): boolean {
    const request = readLegacyRequest(message, this.#methods);
    if (request === undefined) return this.#trySessionMessage(message);
    return !this.#needsSdk?.(request) && this.#tryStart(request, "legacy", passToSdk);
  }

  /** Takes a message of the older eras that is about the session. */
  #trySessionMessage(message: unknown): boolean {
    if (isInitialized(message) && !this.#isSdkInUse) {
      this.#earlierMessages.set("initialized", message);
      return true;
    }
    const request = readRequest(message);
    if (request?.method === "ping" && request.params === undefined) {
      this.#answerAtOnce(message as JSONRPCMessage, request.id, {});
      return true;
    }
    const level = request && readLevel(request);
    if (request === undefined || level === undefined) {
      if (changesSession(message)) this.#era = "sdk";
      return false;
    }
    this.#logLevel.set(level);
    if (this.#isSdkInUse) return false;
    this.#earlierMessages.set("level", message as JSONRPCMessage);
    this.#answerAtOnce(message as JSONRPCMessage, request.id, {});
    return true;
  }

  /** Runs a request, unless another request with the same id is running. */
  #tryStart(request: FastPathRequest, era: Era, passToSdk: () => void): boolean {
    const { id, name, method, parameters } = request;
    // Only the SDK can decide which of two requests with the same id a cancellation means.
    if (this.#running.has(id)) return false;
    const message = { method: name, id, params: parameters };
    const observation = this.#options.observer?.begin(message, "stdio", era);
    const cancellation = new Cancellation();
    const result = startCall(request, this.#callerOf(request, era, cancellation));
    const conclude = (value?: Result): void => {
      this.#running.delete(id);
      if (cancellation.reason !== undefined) return;
      const answer = value && this.#answers[era].answer(request, value);
      if (value !== undefined && answer !== undefined) {
        this.#options.send(...partsOf<string | Buffer>(answer), answerEnd(id));
        observation?.end(outcomeOf(value));
        return;
      }
      observation?.leave();
      const isCheapToRepeat = method.isShared === true && !(result instanceof Promise);
      if (!isCheapToRepeat) this.handled.add(id, Promise.resolve(result), observation?.startedAt);
      passToSdk();
    };
    if (!(result instanceof Promise)) {
      conclude(result);
      return true;
    }
    this.#running.set(id, cancellation);
    this.#pending.add(id);
    cancellation.listen(() => observation?.end("cancelled"));
    void result
      .then(conclude)
      .catch(() => conclude())
      .finally(() => this.#pending.delete(id));
    return true;
  }

  #callerOf(
    { id, capabilities = this.#clientCapabilities, progressToken }: FastPathRequest,
    era: Era,
    cancellation: Cancellation,
  ): Caller {
    // A request of 2026-07-28 that asks for log messages or progress goes to the SDK.
    const { sendLog, progress } =
      era === "modern"
        ? { sendLog: async () => undefined, progress: undefined }
        : callerNotifications(progressToken, {
            notify: (json) => this.#options.send(json),
            wantsLevel: (level) => this.#logLevel.includes(level),
          });
    const clientCapabilities = () => capabilities;
    return { requestId: id, era, signal: cancellation, clientCapabilities, sendLog, progress };
  }

  #answerAtOnce(message: JSONRPCMessage, id: RequestId, result: object): void {
    const { observer } = this.#options;
    const { method, params } = message as { readonly method: string; readonly params?: unknown };
    const observation = observer?.begin({ method, id, params }, "stdio", "legacy");
    this.#options.send(this.#answers.legacy.legacyAnswer(result), answerEnd(id));
    observation?.end("ok");
  }

  /** Cancels the running call of a request that the client has cancelled. */
  #tryCancel({ method, params, id }: RequestParameters): boolean {
    if (method !== "notifications/cancelled" || id !== undefined) return false;
    const cancelledId = requestIdMember(params, "requestId");
    const cancellation = cancelledId === undefined ? undefined : this.#running.get(cancelledId);
    cancellation?.cancel(new Error("The client has taken the request back"));
    return cancellation !== undefined;
  }
}

/** Tells the SDK that the client's era is the modern one. It has no other effect: no request has this id. */
const modernEraMessage: JSONRPCMessage = {
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: "", _meta: emptyMeta },
};

/** Whether `_meta` decides that the client's era is 2026-07-28. */
function claimsModernEra(meta: unknown): boolean {
  if (modernCapabilitiesIn(meta) === undefined) return false;
  const { progressToken } = meta as RequestParameters;
  return isOptionalToken(progressToken) && hasOnly(meta as object, [...metaKeys, "progressToken"]);
}

/**
 * Whether a message may change the session of a client of the older eras in a way that only the SDK
 * handles. A second handshake, for instance, may declare other capabilities.
 */
function changesSession(message: unknown): boolean {
  if (!isObject(message)) return message === undefined;
  return message["method"] === "initialize" || message["method"] === "logging/setLevel";
}

/** The results of requests whose handlers run before the SDK sees the request, so that no handler runs twice. */
export class HandledRequests {
  readonly #handled = new Map<
    RequestId,
    { result: Promise<Result>; arrival: number | undefined }
  >();

  /** @param arrival when the request arrived, by `performance.now()`; undefined if no observer needs it */
  add(id: RequestId, result: Promise<Result>, arrival: number | undefined): void {
    this.#handled.set(id, { result, arrival });
  }

  arrivalOf(id: RequestId): number | undefined {
    return this.#handled.get(id)?.arrival;
  }

  /** Removes and returns the result of a request; undefined if there is none (any more). */
  take(id: RequestId): Promise<Result> | undefined {
    const handled = this.#handled.get(id);
    this.#handled.delete(id);
    return handled?.result;
  }
}
