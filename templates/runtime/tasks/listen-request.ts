import {
  CLIENT_CAPABILITIES_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCNotification,
  type RequestId,
  type Result,
} from "@modelcontextprotocol/server";
import { isObject, memberOf, requestIdMember, textsMember } from "../engine/request-parameters.js";
import { declaresTasks, undeclaredExtension } from "./extension.js";

/** A `subscriptions/listen` request that asks to follow tasks. The SDK answers it, but does not know `taskIds`. */
export interface TaskListening {
  readonly id: RequestId;
  readonly taskIds: readonly string[];
  /** Whether its client declares the extension. True where the SDK refuses what the client declares. */
  readonly knowsTasks: boolean;
}

/** Reads what a message asks of tasks; undefined if it asks nothing. */
export function taskListening(message: unknown): TaskListening | undefined {
  const id = requestIdMember(message, "id");
  if (id === undefined || memberOf(message, "method") !== "subscriptions/listen") return undefined;
  const parameters = memberOf(message, "params");
  const taskIds = textsMember(memberOf(parameters, "notifications"), "taskIds");
  if (taskIds.length === 0) return undefined;
  const capabilities = memberOf(memberOf(parameters, "_meta"), CLIENT_CAPABILITIES_META_KEY);
  return { id, taskIds, knowsTasks: !isObject(capabilities) || declaresTasks(capabilities) };
}

/** The answer to a request of a client that does not declare the extension. */
export function undeclaredAnswer(id: RequestId): JSONRPCErrorResponse {
  const { code, message, data } = undeclaredExtension();
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}

/** The request that an acknowledgement belongs to; undefined if the message is none. */
export function acknowledgedRequest(message: unknown): RequestId | undefined {
  if (memberOf(message, "method") !== "notifications/subscriptions/acknowledged") return undefined;
  return requestIdMember(memberOf(memberOf(message, "params"), "_meta"), SUBSCRIPTION_ID_META_KEY);
}

/** What an acknowledgement of the SDK says will be told. */
export function acknowledgedFilter({
  params,
}: JSONRPCNotification): Readonly<Record<string, unknown>> {
  const filter = memberOf(params, "notifications");
  return isObject(filter) ? filter : {};
}

/** An acknowledgement that names tasks, too. */
export function withTaskIds(
  acknowledgement: JSONRPCNotification,
  taskIds: Iterable<string>,
): JSONRPCNotification {
  const notifications = { ...acknowledgedFilter(acknowledgement), taskIds: [...taskIds] };
  return { ...acknowledgement, params: { ...acknowledgement.params, notifications } };
}

/** The notification that tells how a task is now. */
export function taskNotification(task: Result, subscription: RequestId): JSONRPCNotification {
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: subscription };
  return { jsonrpc: "2.0", method: "notifications/tasks", params: { ...task, _meta } };
}
