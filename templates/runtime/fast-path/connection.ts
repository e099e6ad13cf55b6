import type {
  ClientCapabilities,
  JSONRPCMessage,
  RequestId,
  Result,
} from "@modelcontextprotocol/server";
import type { Caller, Era } from "../context/context.js";
import { HandledRequests } from "../connections/handled-requests.js";
import { Cancellation } from "../engine/cancellation.js";
import type { Engine } from "../engine/engine.js";
import { hasOnly, isObject, type RequestParameters } from "../engine/request-parameters.js";
import { WaitGroup } from "../engine/wait-group.js";
import {
  outcomeOf,
  type RequestObserver,
  type TransportName,
} from "../observe/request-observer.js";
import { ClientLogLevel } from "../server/client-log-level.js";
import { answerEnd, FastPathAnswers } from "./answers.js";
import { fastPathMethods, startCall } from "./calls.js";
import { handshakeResult, callerNotifications } from "./legacy-calls.js";
import {
  isInitialized,
  isToken,
  readHandshake,
  readLegacyRequest,
  readLevel,
  type Handshake,
} from "./legacy-request.js";
import {
  claimIn,
  emptyMeta,
  metaKeys,
  readFastPathRequest,
  readRequest,
  type FastPathMethods,
  type FastPathRequest,
} from "./request.js";

export interface ConnectionFastPathOptions {
  readonly transport: TransportName;
  /** Observes what is answered here; undefined where nothing listens. */
  readonly observer: RequestObserver | undefined;
  /** Sends a message, given as parts of its JSON. */
  send(...parts: readonly (string | Buffer)[]): void;
}

/** Passes the current message to the SDK. */
type PassToSdk = () => void;

/**
 * Answers messages of one lasting connection straight from the engine, so that the SDK need
 * not be loaded for them. It answers only requests that succeed. Everything else, every error
 * and every doubt, goes to the SDK, which first gets the messages that were answered without it.
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
  /** The message that shows the client's era, and its latest messages about the session. */
  readonly #earlierMessages = new Map<"era" | "initialized" | "level", JSONRPCMessage>();
  /** Undefined until the client has shown its era; null where the SDK has to find out. */
  #era: Era | undefined | null;
  /** Whether the SDK has got a message: from then on it gets all messages about the session. */
  #hasPassed = false;
  #declared: ClientCapabilities = {};
  readonly #logLevel = new ClientLogLevel();

  constructor(engine: Engine, options: ConnectionFastPathOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#methods = fastPathMethods(engine);
    this.#needsSdk = engine.definition.legacyExceptions?.(engine);
    const modern = new FastPathAnswers(engine.definition.info);
    this.#answers = { modern, legacy: new FastPathAnswers() };
  }

  /** The messages that the SDK must get first, once it takes over. */
  get earlierMessages(): JSONRPCMessage[] {
    return [...this.#earlierMessages.values()];
  }

  /**
   * Answers a message, or passes it to the SDK: at once, or once its handler has run.
   * @param message The parsed message; undefined where it is not valid.
   */
  take(message: unknown, passToSdk: PassToSdk): void {
    const handOver = (): void => {
      this.#hasPassed = true;
      passToSdk();
    };
    if (!this.#takes(message, handOver)) handOver();
  }

  /** Resolves when every request that was taken is answered, at the latest after so many milliseconds. */
  answeredWithin(milliseconds: number): Promise<void> {
    return this.#pending.doneWithin(milliseconds);
  }

  /** Cancels the running calls; they get no answers any more. */
  close(): void {
    for (const cancellation of this.#running.values())
      cancellation.cancel(new Error("Connection closed"));
  }

  #takes(message: unknown, passToSdk: PassToSdk): boolean {
    if (isObject(message) && this.#cancels(message)) return true;
    switch (this.#era) {
      case null:
        return false;
      case undefined:
        return this.#takesFirst(message, passToSdk);
      case "modern":
        return this.#takesModern(message, passToSdk);
      case "legacy":
        return this.#takesLegacy(message, passToSdk);
    }
  }

  /** Takes a message of a client that has not shown its era yet. */
  #takesFirst(message: unknown, passToSdk: PassToSdk): boolean {
    const handshake = readHandshake(message);
    if (handshake !== undefined) return this.#takesHandshake(message as JSONRPCMessage, handshake);
    const request = readRequest(message);
    const { method, params } = request ?? {};
    // Asking for the capabilities does not bind the client to an era yet.
    if (method === "server/discover" && this.#takesModern(message, passToSdk)) return true;
    const isUnbound = method === undefined || ["server/discover", "initialize"].includes(method);
    if (isUnbound || !isClaim(isObject(params) ? params["_meta"] : undefined)) {
      this.#era = null;
      return false;
    }
    this.#era = "modern";
    this.#earlierMessages.set("era", modernEraMessage);
    return this.#takesModern(message, passToSdk);
  }

  #takesHandshake(message: JSONRPCMessage, handshake: Handshake): boolean {
    const { definition, capabilities: offered } = this.#engine;
    // The SDK serves clients that may get notifications of changes or questions, from the start.
    const isQuiet =
      offered === this.#engine.quietCapabilities && definition.createAsking === undefined;
    if (definition.protocol.legacy !== "serve" || !isQuiet) {
      this.#era = null;
      return false;
    }
    this.#era = "legacy";
    this.#declared = handshake.capabilities;
    this.#earlierMessages.set("era", message);
    this.#answerAtOnce(message, handshake.id, handshakeResult(handshake, definition, offered));
    return true;
  }

  #takesModern(message: unknown, passToSdk: PassToSdk): boolean {
    const request = readFastPathRequest(message, this.#methods);
    return request !== undefined && this.#starts(request, "modern", passToSdk);
  }

  #takesLegacy(message: unknown, passToSdk: PassToSdk): boolean {
    const request = readLegacyRequest(message, this.#methods);
    if (request === undefined) return this.#takesSessionMessage(message);
    return !this.#needsSdk?.(request) && this.#starts(request, "legacy", passToSdk);
  }

  /** Takes messages of the older eras that are about the session. */
  #takesSessionMessage(message: unknown): boolean {
    if (isInitialized(message) && !this.#hasPassed) {
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
      if (changesSession(message)) this.#era = null;
      return false;
    }
    this.#logLevel.set(level);
    if (this.#hasPassed) return false;
    this.#earlierMessages.set("level", message as JSONRPCMessage);
    this.#answerAtOnce(message as JSONRPCMessage, request.id, {});
    return true;
  }

  /** Runs a request, unless another with the same id runs. */
  #starts(request: FastPathRequest, era: Era, passToSdk: PassToSdk): boolean {
    const { id, name, method, parameters } = request;
    // The SDK knows which of two requests with the same id a cancellation is for.
    if (this.#running.has(id)) return false;
    const { observer, transport } = this.#options;
    const observation = observer?.begin({ method: name, id, params: parameters }, transport, era);
    const cancellation = new Cancellation();
    const result = startCall(request, this.#callerOf(request, era, cancellation));
    const conclude = (value?: Result): void => {
      this.#running.delete(id);
      if (cancellation.reason !== undefined) return;
      const answer = value && this.#answers[era].answer(request, value);
      if (value !== undefined && answer !== undefined) {
        this.#options.send(answer, answerEnd(id));
        observation?.end(outcomeOf(value));
        return;
      }
      observation?.leave();
      const isCheapToRepeat = method.isShared === true && !(result instanceof Promise);
      if (!isCheapToRepeat) this.handled.add(id, Promise.resolve(result), observation?.since);
      passToSdk();
    };
    if (!(result instanceof Promise)) {
      conclude(result);
      return true;
    }
    this.#running.set(id, cancellation);
    this.#pending.add(id);
    cancellation.listen(() => observation?.end("cancelled"));
    void result.then(conclude, () => conclude()).finally(() => this.#pending.delete(id));
    return true;
  }

  #callerOf(
    { id, capabilities = this.#declared, progressToken }: FastPathRequest,
    era: Era,
    cancellation: Cancellation,
  ): Caller {
    // A client of 2026-07-28 that wants log messages or progress says so in `_meta`, and the SDK answers it.
    const { sendLog, sendProgress } =
      era === "modern"
        ? { sendLog: nothing, sendProgress: undefined }
        : callerNotifications(progressToken, {
            notify: (json) => this.#options.send(json),
            wants: (level) => this.#logLevel.includes(level),
          });
    const clientCapabilities = () => capabilities;
    return { requestId: id, era, signal: cancellation, clientCapabilities, sendLog, sendProgress };
  }

  #answerAtOnce(message: JSONRPCMessage, id: RequestId, result: object): void {
    const { observer, transport } = this.#options;
    const { method, params } = message as { readonly method: string; readonly params?: unknown };
    const observation = observer?.begin({ method, id, params }, transport, "legacy");
    this.#options.send(this.#answers.legacy.bare(result), answerEnd(id));
    observation?.end("ok");
  }

  /** Cancels the running call of a request that the client has cancelled. */
  #cancels({ method, params, id }: RequestParameters): boolean {
    if (method !== "notifications/cancelled" || id !== undefined || !isObject(params)) return false;
    const cancellation = this.#running.get(params["requestId"] as RequestId);
    cancellation?.cancel(new Error("The client has taken the request back"));
    return cancellation !== undefined;
  }
}

/** Shows the SDK that the client's era is the modern one, and has no other effect: no request has this id. */
const modernEraMessage: JSONRPCMessage = {
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: "", _meta: emptyMeta },
};

/** Whether `_meta` binds the client to 2026-07-28. */
function isClaim(meta: unknown): boolean {
  if (claimIn(meta) === undefined) return false;
  const { progressToken } = meta as RequestParameters;
  return isToken(progressToken) && hasOnly(meta as object, [...metaKeys, "progressToken"]);
}

/**
 * Whether a message may change the session of a client of the older eras in a way that only the SDK follows: a
 * second handshake, for instance, may declare other capabilities.
 */
function changesSession(message: unknown): boolean {
  if (!isObject(message)) return message === undefined;
  return message["method"] === "initialize" || message["method"] === "logging/setLevel";
}

async function nothing(): Promise<void> {}
