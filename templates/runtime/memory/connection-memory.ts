import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import type { ServerRequest } from "../server/requests.js";
import type { AnswerConnection } from "./accounts.js";
import { CallMemory, type SharedMemory } from "./call-memory.js";

/**
 * Counts what is sent on a lasting connection, and gives each of its calls memory until its answer is sent.
 * @param transport The transport, which sends each message before it returns a promise.
 */
export function connectionMemory(
  transport: Transport,
  shared: SharedMemory,
  connection: AnswerConnection,
): NonNullable<ServerRequest["memoryOf"]> {
  const calls = new Map<RequestId, CallMemory>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    const id = answeredId(message);
    const call = id === undefined ? undefined : calls.get(id);
    if (call === undefined) shared.budget.written(connection);
    call?.written();
    call?.end();
    return sent;
  };
  return ({ id, signal }) => {
    const call = new LastingCallMemory(shared, connection, () => {
      if (calls.get(id) === call) calls.delete(id);
    });
    calls.set(id, call);
    return call.endOn(signal);
  };
}

function answeredId(message: JSONRPCMessage): RequestId | undefined {
  const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
  return isAnswer ? message.id : undefined;
}

/** The memory of a call on a connection that other calls share. */
class LastingCallMemory extends CallMemory {
  readonly #connection: AnswerConnection;
  readonly #ended: () => void;

  /** @param ended called when the call ends */
  constructor(shared: SharedMemory, connection: AnswerConnection, ended: () => void) {
    super(shared);
    this.#connection = connection;
    this.#ended = ended;
  }

  protected connection(): AnswerConnection {
    return this.#connection;
  }

  /** Nothing: the end of its connection frees all memory of its calls. */
  protected whenOver(): void {}

  override end(): void {
    super.end();
    this.#ended();
  }
}
