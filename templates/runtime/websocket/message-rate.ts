import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import { cancelledRequest } from "../connections/observed-transport.js";

/** Limits the messages of a client over one socket by the rate limit of its requests. */
export class WebSocketRate {
  readonly #take: () => number;
  /** The server's own questions that the client has not answered. */
  readonly #questions = new Set<RequestId>();

  /** @param take Counts a message. It returns 0, or the seconds that the client must wait. */
  constructor(take: () => number) {
    this.#take = take;
  }

  /** Must be called for each message that the server sends. */
  sends(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#questions.add(message.id);
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) this.#questions.delete(cancelled);
  }

  /**
   * Counts a message of the client, unless it is an answer that the server waits for.
   * @returns 0, or the seconds that the client must wait
   */
  receives(message: unknown): number {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    const isAwaited = isAnswer && message.id !== undefined && this.#questions.delete(message.id);
    return isAwaited ? 0 : this.#take();
  }
}
