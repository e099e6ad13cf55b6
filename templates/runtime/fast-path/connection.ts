import type {
  ClientCapabilities,
  JSONRPCMessage,
  RequestId,
  Result,
} from "@modelcontextprotocol/server";
import type { Awaitable } from "../engine/awaitable.js";
import { Cancellation } from "../engine/cancellation.js";
import { ClientLogLevel } from "../server/client-log-level.js";
import type { Caller, Era } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import {
  isInitialized,
  isToken,
  readHandshake,
  readLegacyRequest,
  readLevel,
  type Handshake,
} from "./legacy-request.js";
import { handshakeResult, LegacyCalls, tellingCaller } from "./legacy-calls.js";
import { HandledRequests } from "../connections/handled-requests.js";
import { WaitGroup } from "../engine/wait-group.js";
import { answerEnd, isShared, LegacyAnswers, ModernAnswers } from "./answers.js";
import { FastPathCalls } from "./calls.js";
import {
  claimIn,
  emptyEnvelope,
  envelopeKeys,
  readFastPathRequest,
  readRequest,
  type FastPathMethod,
} from "./request.js";
import { hasOnly, isObject, type RequestParameters } from "../engine/request-parameters.js";
import {
  outcomeOf,
  type RequestObserver,
  type TransportName,
} from "../observe/request-observer.js";

export interface ConnectionFastPathOptions {
  readonly transport: TransportName;
  /** Follows what is answered here; absent where nobody wants to know. */
  readonly observer: RequestObserver | undefined;
  /** Sends a message, which comes as the pieces of its JSON. */
  send(...pieces: readonly (string | Buffer)[]): void;
}

/** A request, as far as it takes to answer it. */
interface Request {
  readonly id: RequestId;
  readonly method: FastPathMethod;
  readonly parameters: RequestParameters;
  readonly caller: Caller;
  /** How the running handler is told that its answer is not wanted any more. */
  readonly gone: Cancellation;
  /** Starts what it asks for, or leaves it. */
  run(): Awaitable<Result> | undefined;
}

/** Hands the message that is being taken to the SDK. */
type Pass = () => void;

/**
 * Answers plain messages of one lasting connection straight from the engine, so that the SDK need
 * not be loaded for them. It answers only what succeeds. Everything else, every error and every
 * doubt, goes to the SDK, which is then told what has been said without it.
 */
export class ConnectionFastPath {
  readonly ran = new HandledRequests();
  readonly #engine: Engine;
  readonly #options: ConnectionFastPathOptions;
  readonly #calls: FastPathCalls;
  readonly #legacyCalls: LegacyCalls;
  readonly #answers: { readonly modern: ModernAnswers; readonly legacy: LegacyAnswers };
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
    const { info, cache } = engine.definition;
    this.#engine = engine;
    this.#options = options;
    this.#calls = new FastPathCalls(engine);
    this.#legacyCalls = new LegacyCalls(engine);
    this.#answers = { modern: new ModernAnswers(info, cache), legacy: new LegacyAnswers() };
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
    // What a server is asked first does not bind the client yet.
    if (request?.method === "server/discover") {
      if (this.#takesModern(message, pass)) return true;
      this.#era = null;
      return false;
    }
    const meta = isObject(request?.params) ? request.params["_meta"] : undefined;
    if (request?.method === "initialize" || !isClaim(meta)) {
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
    const fastRequest = readFastPathRequest(message);
    if (fastRequest === undefined) return false;
    const { id, method, parameters, capabilities } = fastRequest;
    const gone = new Cancellation();
    const caller: Caller = {
      requestId: id,
      era: "modern",
      signal: gone,
      clientCapabilities: () => capabilities,
      // A client that wants log messages says so in its envelope, which is then no plain one.
      sendLog: nothing,
    };
    const run = () => this.#calls.run(method, parameters, caller);
    return this.#starts({ id, method, parameters, caller, gone, run }, pass);
  }

  #takesLegacy(message: unknown, pass: Pass): boolean {
    if (changesUnread(message)) {
      this.#era = null;
      return false;
    }
    const fastRequest = readLegacyRequest(message);
    if (fastRequest === undefined) return this.#takesOfSession(message);
    const { id, method, parameters, progressToken } = fastRequest;
    const gone = new Cancellation();
    const { sendLog, sendProgress } = tellingCaller(progressToken, {
      notify: (json) => this.#options.send(json),
      wants: (level) => this.#logLevel.includes(level),
    });
    const caller: Caller = {
      requestId: id,
      era: "legacy",
      signal: gone,
      clientCapabilities: () => this.#declared,
      sendLog,
      sendProgress,
    };
    const run = () => this.#legacyCalls.run(fastRequest, caller);
    return this.#starts({ id, method, parameters, caller, gone, run }, pass);
  }

  /** What a client of the older eras says of its session. */
  #takesOfSession(message: unknown): boolean {
    if (isInitialized(message) && !this.#hasPassed) {
      this.#past.set("initialized", message);
      return true;
    }
    const request = readRequest(message);
    if (request === undefined) return false;
    const { id, method, params } = request;
    if (method === "ping" && params === undefined) {
      this.#answerAtOnce(message as JSONRPCMessage, id, {});
      return true;
    }
    const level = readLevel(request);
    if (level === undefined) return false;
    this.#logLevel.set(level);
    if (this.#hasPassed) return false;
    this.#past.set("level", message as JSONRPCMessage);
    this.#answerAtOnce(message as JSONRPCMessage, id, {});
    return true;
  }

  /** Starts what a request asks for, or leaves it: then nothing has run. */
  #starts(request: Request, pass: Pass): boolean {
    const { id, method, parameters, caller, gone } = request;
    // Which of two requests with the same id is cancelled, the SDK knows.
    if (this.#running.has(id)) return false;
    const { observer, transport } = this.#options;
    const observed = { method, id, params: parameters };
    const observation = observer?.begin(observed, transport, caller.era);
    const answers = this.#answers[caller.era];
    const result = request.run();
    if (!(result instanceof Promise)) {
      const answer = result && answers.atOnce(method, result);
      if (result === undefined || answer === undefined) {
        observation?.leave();
        if (result === undefined || isShared(method)) return false;
        const since = observation?.since ?? performance.now();
        this.ran.add(id, Promise.resolve(result), since);
        return false;
      }
      this.#options.send(answer, answerEnd(id));
      observation?.end(outcomeOf(result));
      return true;
    }
    const since = observation?.since ?? performance.now();
    this.#running.set(id, gone);
    this.#pending.add(id);
    gone.listen(() => observation?.end("cancelled"));
    const conclude = (value?: Result): void => {
      this.#running.delete(id);
      if (gone.reason !== undefined) return;
      const answer = value && answers.answer(method, value);
      if (value === undefined || answer === undefined) {
        observation?.leave();
        this.ran.add(id, result, since);
        return pass();
      }
      this.#options.send(answer, answerEnd(id));
      observation?.end(outcomeOf(value));
    };
    void result.then(conclude, () => conclude()).finally(() => this.#pending.delete(id));
    return true;
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

/** Whether a message may change what the SDK knows of a client of the older eras, in a way that is not followed here. */
function changesUnread(message: unknown): boolean {
  if (message === undefined) return true;
  if (!isObject(message)) return false;
  switch (message["method"]) {
    // After a second handshake, the client may be another one.
    case "initialize":
      return true;
    case "logging/setLevel": {
      const request = readRequest(message);
      return request === undefined || readLevel(request) === undefined;
    }
    default:
      return false;
  }
}

async function nothing(): Promise<void> {}
