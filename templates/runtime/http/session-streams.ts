import { AsyncLocalStorage } from "node:async_hooks";
import {
  isJSONRPCNotification,
  type EventStore,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import type { RunningServer } from "../server/create-server.js";
import { hasAll, isAnswer, type MessageScopes } from "./message-scopes.js";
import type { SessionEvents } from "./session-events.js";

/** The SDK's name for the stream of messages that belong to no request. */
const STANDALONE_STREAM = "_GET_stream";

/** The caller of a request to a session that the SDK is handling. */
interface StreamCaller {
  readonly session: SessionStreams;
  readonly scopes: readonly string[];
}

/**
 * One for all sessions: up to Node.js 22, every promise of the process passes on each storage that was ever used, and none is
 * forgotten.
 */
const callers = new AsyncLocalStorage<StreamCaller>();

/**
 * The streams of a session whose requests may come with several tokens of its principal. The answer to a request is
 * replayed only to a token with all scopes of the token that made it. Whoever reads the stream of notifications gets
 * those of resources that its token may read; the others are kept for a token that may.
 */
export class SessionStreams implements EventStore {
  readonly #server: RunningServer;
  readonly #messages: MessageScopes;
  /** Undefined if clients cannot resume streams. */
  readonly #events: SessionEvents | undefined;
  /** The scopes of the message that the SDK is sending. */
  #sending: readonly string[] | undefined;
  /** The scopes of the token that reads the stream of notifications. */
  #listening: readonly string[] = [];

  constructor(server: RunningServer, messages: MessageScopes, events: SessionEvents | undefined) {
    this.#server = server;
    this.#messages = messages;
    this.#events = events;
  }

  /** Filters what is sent on the session's transport. */
  follow(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const request = isAnswer(message) ? message.id : options?.relatedRequestId;
      if (request === undefined) return this.#sendToListener(message, send);
      return this.#send(this.#messages.scopesOf(request), () => send(message, options));
    };
  }

  /** Sends a message that belongs to no request. */
  async #sendToListener(message: JSONRPCMessage, send: Transport["send"]): Promise<void> {
    const scopes = this.#neededBy(message);
    if (hasAll(this.#listening, scopes)) return this.#send(scopes, () => send(message));
    await this.#events?.storeEvent(STANDALONE_STREAM, message, scopes);
  }

  /** @param scopes the scopes that a client needs to get the message */
  #send(scopes: readonly string[] | undefined, send: () => Promise<void>): Promise<void> {
    this.#sending = scopes;
    // The SDK stores the message before it waits for anything.
    const sent = send();
    this.#sending = undefined;
    return sent;
  }

  /** Lets the SDK handle a request of a caller with these scopes. */
  async handle(
    request: Request,
    scopes: readonly string[],
    handleRequest: () => Promise<Response>,
  ): Promise<Response> {
    const former = this.#listening;
    const resumed = request.headers.get("last-event-id");
    const listens =
      request.method === "GET" &&
      (resumed === null || this.#events?.streamOf(resumed) === STANDALONE_STREAM);
    // Until it is certain who reads the stream, nobody gets more than both may.
    if (listens) this.#listening = former.filter((scope) => scopes.includes(scope));
    const response = await callers.run({ session: this, scopes }, handleRequest);
    if (listens) this.#listening = response.ok ? scopes : former;
    return response;
  }

  /** The scopes that a caller needs to resume the stream that a request names. */
  neededToResume(request: Pick<Request, "headers">): readonly string[] {
    const lastEvent = request.headers.get("last-event-id");
    return (lastEvent === null ? undefined : this.#events?.scopesOf(lastEvent)) ?? [];
  }

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    if (this.#events === undefined) throw new Error("Streams cannot be resumed");
    const scopes = this.#sending ?? this.#scopesOfCaller();
    return this.#events.storeEvent(streamId, message, scopes);
  }

  replayEventsAfter(
    lastEventId: string,
    options: Parameters<EventStore["replayEventsAfter"]>[1],
  ): Promise<string> {
    if (this.#events === undefined) throw new Error("Streams cannot be resumed");
    const scopes = this.#scopesOfCaller() ?? [];
    return this.#events.replayEventsAfter(lastEventId, options, (needed) => hasAll(scopes, needed));
  }

  /** The scopes of the caller whose request is being handled; undefined if it is none of this session. */
  #scopesOfCaller(): readonly string[] | undefined {
    const caller = callers.getStore();
    return caller?.session === this ? caller.scopes : undefined;
  }

  /** The scopes that a client needs to be told of a notification. */
  #neededBy(message: JSONRPCMessage): readonly string[] {
    const isUpdate =
      isJSONRPCNotification(message) && message.method === "notifications/resources/updated";
    if (!isUpdate) return [];
    const read = { method: "resources/read", params: { uri: message.params?.["uri"] } };
    return this.#server.access?.unmetScopes(read, { principal: "", scopes: [] }) ?? [];
  }
}
