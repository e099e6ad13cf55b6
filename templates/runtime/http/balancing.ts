import { setTimeout as delay } from "node:timers/promises";
import type { RunningServer } from "../server/create-server.js";
import { noticeMs } from "../start/transport.js";

/** What the project's `ready` says of the services, by the server that has them. */
export const readyChecks = new WeakMap<RunningServer, () => boolean | Promise<boolean>>();

const balanced = new WeakSet<RunningServer>();
const leaving = new WeakMap<RunningServer, Promise<void>>();

/** Notes that a balancer asks whether this server can be sent requests. */
export function noteBalancer(server: RunningServer): void {
  balanced.add(server);
}

/** Whether a server is about to stop, and should be sent nothing more. */
export function isLeaving(server: RunningServer): boolean {
  return leaving.has(server);
}

/** Waits until balancers send requests elsewhere; undefined where none has ever asked. */
export function leave(server: RunningServer): Promise<void> | undefined {
  if (!balanced.has(server)) return undefined;
  const left = leaving.get(server) ?? delay(noticeMs);
  leaving.set(server, left);
  return left;
}
