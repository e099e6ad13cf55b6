import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
  type JSONRPCNotification,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { cancelledRequest } from "../connections/observed-transport.js";
import type { Caller } from "../context/context.js";
import type { TaskFollowers } from "./followers.js";
import {
  acknowledgedRequest,
  taskListening,
  taskNotification,
  undeclaredAnswer,
  withTaskIds,
} from "./listen-request.js";

/** The subscriptions of one connection that follow tasks. The SDK keeps them; what it sends of tasks is added here. */
class FollowingConnection {
  readonly #transport: Transport;
  readonly #send: Transport["send"];
  readonly #followers: TaskFollowers;
  readonly #callerOf: () => Partial<Caller>;
  /** The ids of the tasks that open subscriptions have asked for. */
  readonly #asked = new Map<RequestId, readonly string[]>();
  readonly #leave = new Map<RequestId, () => void>();

  constructor(transport: Transport, followers: TaskFollowers, callerOf: () => Partial<Caller>) {
    this.#transport = transport;
    this.#send = transport.send.bind(transport);
    this.#followers = followers;
    this.#callerOf = callerOf;
  }

  /** @returns whether the SDK must not get the message, which is answered here */
  receive(message: Parameters<NonNullable<Transport["onmessage"]>>[0]): boolean {
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) this.#end(cancelled);
    const listening = taskListening(message);
    if (listening === undefined) return false;
    const { id, taskIds, knowsTasks } = listening;
    if (knowsTasks) {
      this.#asked.set(id, taskIds);
      return false;
    }
    this.#transport.send(undeclaredAnswer(id)).catch(() => undefined);
    return true;
  }

  send(...[message, options]: Parameters<Transport["send"]>): Promise<void> {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined) this.#end(message.id);
    const id = acknowledgedRequest(message);
    const taskIds = id === undefined ? undefined : this.#asked.get(id);
    if (id === undefined || taskIds === undefined || !isJSONRPCNotification(message)) {
      return this.#send(message, options);
    }
    return this.#acknowledge(message, id, taskIds);
  }

  endAll(): void {
    for (const id of [...this.#asked.keys()]) this.#end(id);
  }

  async #acknowledge(
    acknowledgement: JSONRPCNotification,
    id: RequestId,
    taskIds: readonly string[],
  ): Promise<void> {
    const caller = this.#callerOf();
    const records = await this.#followers.find(taskIds, caller);
    // It may have been cancelled meanwhile.
    if (!this.#asked.has(id)) return;
    const sent = this.#send(
      records.size === 0 ? acknowledgement : withTaskIds(acknowledgement, records.keys()),
    );
    const leave = this.#followers.follow(records, caller, (task) => {
      this.#transport.send(taskNotification(task, id)).catch(() => undefined);
    });
    this.#leave.set(id, leave);
    await sent;
  }

  #end(id: RequestId): void {
    this.#asked.delete(id);
    this.#leave.get(id)?.();
    this.#leave.delete(id);
  }
}

/**
 * Lets the client of a lasting connection follow tasks. Must be called after the SDK has set its handlers on the transport.
 * @param callerOf Who has opened the connection.
 */
export function followOnConnection(
  transport: Transport,
  followers: TaskFollowers,
  callerOf: () => Partial<Caller>,
): void {
  const connection = new FollowingConnection(transport, followers, callerOf);
  const { onmessage, onclose } = transport;
  transport.onmessage = (message, extra) => {
    if (!connection.receive(message)) onmessage?.(message, extra);
  };
  transport.onclose = () => {
    connection.endAll();
    onclose?.();
  };
  transport.send = (...sent) => connection.send(...sent);
}
