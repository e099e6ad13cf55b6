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
import { handshakeResult, tellingCaller } from "./legacy-calls.js";
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
  emptyEnvelope,
  envelopeKeys,
  readFastPathRequest,
  readRequest,
  type FastPathMethods,
  type FastPathRequest,
} from "./request.js";

export interface ConnectionFastPathOptions {
  readonly transport: TransportName;
  /** Follows what is answered here; absent where nobody wants to know. */
  readonly observer: RequestObserver | undefined;
  /** Sends a message, which comes as parts of its JSON. */
  send(...parts: readonly (string | Buffer)[]): void;
}

/** Hands the message that is being taken to the SDK. */
type Pass = () => void;

/**
 * Answers messages of one lasting connection straight from the engine, so that the SDK need
 * not be loaded for them. It answers only what succeeds. Everything else, every error and every
 * doubt, goes to the SDK, which is then told what has been said without it.
 */
export class ConnectionFastPath {
  readonly ran = new HandledRequests();
  readonly #engine: Engine;
  readonly #options: ConnectionFastPathOptions;
  readonly #methods: FastPathMethods;
  readonly #takesSdk: ((request: FastPathRequest) => boolean) | undefined;
  readonly #answers: Readonly<Record<Era, FastPathAnswers>>;
  readonly #running = new Map<RequestId, Cancellation>();
  readonly #pending = new WaitGroup<RequestId>();
  /** What shows the client's era, and the last that it has said of its session. */
  readonly #past = new Map<"era" | "initialized" | "level", JSONRPCMessage>();
  /** Undefined until the client has shown it; null where only the SDK knows. */
  #era: Era | undefined | null;
  /** Whether the SDK has been handed a message: from then on it is told of all that it would have to know. */
  #hasPassed = false;
  #declared: ClientCapabilities = {};
  readonly #logLevel = new ClientLogLevel();

  constructor(engine: Engine, options: ConnectionFastPathOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#methods = fastPathMethods(engine);
    this.#takesSdk = engine.definition.legacyExceptions?.(engine);
    const modern = new FastPathAnswers(engine.definition.info);
    this.#answers = { modern, legacy: new FastPathAnswers() };
  }

  /** What the SDK must know once it takes over. */
  get past(): JSONRPCMessage[] {
    return [...this.#past.values()];
  }

  /**
   * Takes a message, or passes it to the SDK.
   * @param message As it was parsed; undefined where it cannot be read.
   * @param pass Hands it to the SDK: at once, or once its handler has run.
   */
  take(message: unknown, pass: Pass): void {
    const hand = (): void => {
      this.#hasPassed = true;
      pass();
    };
    if (!this.#takes(message, hand)) hand();
  }

  /** Resolves when every request that was taken is answered, at the latest after so many milliseconds. */
  answeredWithin(milliseconds: number): Promise<void> {
    return this.#pending.doneWithin(milliseconds);
  }

  /** Has what still runs stopped; nothing is answered any more. */
  close(): void {
    for (const gone of this.#running.values()) gone.cancel(new Error("Connection closed"));
  }

  #takes(message: unknown, pass: Pass): boolean {
    if (isObject(message) && this.#cancels(message)) return true;
    switch (this.#era) {
      case null:
        return false;
      case undefined:
        return this.#takesFirst(message, pass);
      case "modern":
        return this.#takesModern(message, pass);
      case "legacy":
        return this.#takesLegacy(message, pass);
    }
  }

  /** A message before which the client has not shown its era. */
  #takesFirst(message: unknown, pass: Pass): boolean {
    const handshake = readHandshake(message);
    if (handshake !== undefined) return this.#shakesHands(message as JSONRPCMessage, handshake);
    const request = readRequest(message);
    const { method, params } = request ?? {};
    // What a server is asked first does not bind the client yet.
    if (method === "server/discover" && this.#takesModern(message, pass)) return true;
    const isUnbound = method === undefined || ["server/discover", "initialize"].includes(method);
    if (isUnbound || !isClaim(isObject(params) ? params["_meta"] : undefined)) {
      this.#era = null;
      return false;
    }
    this.#era = "modern";
    this.#past.set("era", modernSign);
    return this.#takesModern(message, pass);
  }

  #shakesHands(message: JSONRPCMessage, handshake: Handshake): boolean {
    const { definition, capabilities: offered } = this.#engine;
    // Clients that may have to be told of changes, or asked, are the SDK's from the start.
    const isQuiet =
      offered === this.#engine.quietCapabilities && definition.createAsking === undefined;
    if (definition.protocol.legacy !== "serve" || !isQuiet) {
      this.#era = null;
      return false;
    }
    this.#era = "legacy";
    this.#declared = handshake.capabilities;
    this.#past.set("era", message);
    this.#answerAtOnce(message, handshake.id, handshakeResult(handshake, definition, offered));
    return true;
  }

  #takesModern(message: unknown, pass: Pass): boolean {
    const request = readFastPathRequest(message, this.#methods);
    return request !== undefined && this.#starts(request, "modern", pass);
  }

  #takesLegacy(message: unknown, pass: Pass): boolean {
    const request = readLegacyRequest(message, this.#methods);
    if (request === undefined) return this.#takesOfSession(message);
    return !this.#takesSdk?.(request) && this.#starts(request, "legacy", pass);
  }

  /** What a client of the older eras says of its session. */
  #takesOfSession(message: unknown): boolean {
    if (isInitialized(message) && !this.#hasPassed) {
      this.#past.set("initialized", message);
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
    this.#past.set("level", message as JSONRPCMessage);
    this.#answerAtOnce(message as JSONRPCMessage, request.id, {});
    return true;
  }

  /** Starts what a request asks for, unless it cannot be told from another. */
  #starts(request: FastPathRequest, era: Era, pass: Pass): boolean {
    const { id, name, method, parameters } = request;
    // Which of two requests with the same id is cancelled, the SDK knows.
    if (this.#running.has(id)) return false;
    const { observer, transport } = this.#options;
    const observation = observer?.begin({ method: name, id, params: parameters }, transport, era);
    const gone = new Cancellation();
    const result = startCall(request, this.#callerOf(request, era, gone));
    const conclude = (value?: Result): void => {
      this.#running.delete(id);
      if (gone.reason !== undefined) return;
      const answer = value && this.#answers[era].answer(request, value);
      if (value !== undefined && answer !== undefined) {
        this.#options.send(answer, answerEnd(id));
        observation?.end(outcomeOf(value));
        return;
      }
      observation?.leave();
      const isAtHand = method.isShared === true && !(result instanceof Promise);
      if (!isAtHand) this.ran.add(id, Promise.resolve(result), observation?.since);
      pass();
    };
    if (!(result instanceof Promise)) {
      conclude(result);
      return true;
    }
    this.#running.set(id, gone);
    this.#pending.add(id);
    gone.listen(() => observation?.end("cancelled"));
    void result.then(conclude, () => conclude()).finally(() => this.#pending.delete(id));
    return true;
  }

  #callerOf(
    { id, capabilities = this.#declared, progressToken }: FastPathRequest,
    era: Era,
    gone: Cancellation,
  ): Caller {
    // A client of 2026-07-28 that wants log messages or progress says so in its envelope, which is then the SDK's.
    const { sendLog, sendProgress } =
      era === "modern"
        ? { sendLog: nothing, sendProgress: undefined }
        : tellingCaller(progressToken, {
            notify: (json) => this.#options.send(json),
            wants: (level) => this.#logLevel.includes(level),
          });
    const clientCapabilities = () => capabilities;
    return { requestId: id, era, signal: gone, clientCapabilities, sendLog, sendProgress };
  }

  #answerAtOnce(message: JSONRPCMessage, id: RequestId, result: object): void {
    const { observer, transport } = this.#options;
    const { method, params } = message as { readonly method: string; readonly params?: unknown };
    const observation = observer?.begin({ method, id, params }, transport, "legacy");
    this.#options.send(this.#answers.legacy.bare(result), answerEnd(id));
    observation?.end("ok");
  }

  /** Stops what runs here for a request that the client takes back. */
  #cancels({ method, params, id }: RequestParameters): boolean {
    if (method !== "notifications/cancelled" || id !== undefined || !isObject(params)) return false;
    const gone = this.#running.get(params["requestId"] as RequestId);
    gone?.cancel(new Error("The client has taken the request back"));
    return gone !== undefined;
  }
}

/** Tells the SDK the client's era, and nothing else: no request has this id. */
const modernSign: JSONRPCMessage = {
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: "", _meta: emptyEnvelope },
};

/** Whether an envelope binds the client to 2026-07-28, whatever it asks for. */
function isClaim(meta: unknown): boolean {
  if (claimIn(meta) === undefined) return false;
  const { progressToken } = meta as RequestParameters;
  return isToken(progressToken) && hasOnly(meta as object, [...envelopeKeys, "progressToken"]);
}

/**
 * Whether a message may change what the SDK knows of a client of the older eras, in a way that is not
 * followed here: after a second handshake, for instance, the client may be another one.
 */
function changesSession(message: unknown): boolean {
  if (!isObject(message)) return message === undefined;
  return message["method"] === "initialize" || message["method"] === "logging/setLevel";
}

async function nothing(): Promise<void> {}
