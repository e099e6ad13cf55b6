import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { cancelledRequest } from "../connections/observed-transport.js";

/** The refusal of a request with the id of one that is not answered yet. */
export const TAKEN_ID = {
  status: 400,
  message: "Invalid Request: a request with this id is not answered yet",
  code: -32600,
} as const;

/**
 * The scopes of the requests of one client that are not answered yet. Each request of a session may come with another
 * token of its principal. A token may not cancel a call, or answer its questions, that was made with more scopes.
 */
export class MessageScopes {
  readonly #requests = new Map<RequestId, readonly string[]>();
  /** The questions that calls have asked the client, by their ids as numbers: so the SDK compares them. */
  readonly #questions = new Map<number, readonly string[]>();

  /** Follows what is sent on the client's transport. */
  follow(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const sent = send(message, options);
      if (isAnswer(message)) this.#requests.delete(message.id);
      const withdrawn = cancelledRequest(message);
      if (withdrawn !== undefined) this.#questions.delete(Number(withdrawn));
      const { relatedRequestId } = options ?? {};
      if (isJSONRPCRequest(message) && relatedRequestId !== undefined) {
        this.#questions.set(Number(message.id), this.scopesOf(relatedRequestId) ?? []);
      }
      return sent;
    };
  }

  /** The scopes with which an unanswered request was made. */
  scopesOf(id: RequestId): readonly string[] | undefined {
    return this.#requests.get(id);
  }

  /** Whether the id of a request in a body belongs to another one that is not answered yet. */
  hasTakenId(body: unknown): boolean {
    return messagesIn(body).some(
      (message) => isJSONRPCRequest(message) && this.#requests.has(message.id),
    );
  }

  /** The scopes that the messages of a body need because of the call that they concern, if one is missing. */
  unmetBy(body: unknown, scopes: readonly string[]): readonly string[] | undefined {
    return messagesIn(body)
      .map((message) => this.#neededBy(message))
      .find((needed) => !hasAll(scopes, needed));
  }

  #neededBy(message: JSONRPCMessage): readonly string[] {
    if (isAnswer(message)) return this.#questions.get(Number(message.id)) ?? [];
    const cancelled = cancelledRequest(message);
    return cancelled === undefined ? [] : (this.#requests.get(cancelled) ?? []);
  }

  /** Adds the requests of a body, and forgets those that it cancels and the questions that it answers. */
  add(body: unknown, scopes: readonly string[]): void {
    for (const message of messagesIn(body)) {
      if (isJSONRPCRequest(message)) this.#requests.set(message.id, scopes);
      if (isAnswer(message)) this.#questions.delete(Number(message.id));
      const cancelled = cancelledRequest(message);
      if (cancelled !== undefined) this.#requests.delete(cancelled);
    }
  }

  /** Forgets the requests of a body that was refused. */
  remove(body: unknown): void {
    for (const message of messagesIn(body)) {
      if (isJSONRPCRequest(message)) this.#requests.delete(message.id);
    }
  }
}

/** Whether these scopes contain all that are needed. */
export function hasAll(scopes: readonly string[], needed: readonly string[]): boolean {
  return needed.every((scope) => scopes.includes(scope));
}

/** Whether a message answers a request, with a result or an error. */
export function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

function messagesIn(body: unknown): readonly JSONRPCMessage[] {
  return (Array.isArray(body) ? body : [body]) as readonly JSONRPCMessage[];
}
