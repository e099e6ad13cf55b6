import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import { cancelledRequest } from "../connections/observed-transport.js";

/** Holds what a client sends over one socket to the rate that its requests have everywhere. */
export class WebSocketRate {
  readonly #take: () => number;
  /** The server's own questions that the client has not answered. */
  readonly #asked = new Set<RequestId>();

  /** @param take Counts a message: 0 where it may go on, else the seconds after which one may. */
  constructor(take: () => number) {
    this.#take = take;
  }

  /** Takes note of what the server sends. */
  sends(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#asked.add(message.id);
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) this.#asked.delete(cancelled);
  }

  /**
   * Counts what the client sends, but for answers that the server waits for.
   * @returns 0 where it may go on, else the seconds after which the client may send again
   */
  receives(message: JSONRPCMessage): number {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    const isAwaited = isAnswer && message.id !== undefined && this.#asked.delete(message.id);
    return isAwaited ? 0 : this.#take();
  }
}
