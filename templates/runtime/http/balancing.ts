import { setTimeout as delay } from "node:timers/promises";
import type { RunningServer } from "../server/create-server.js";
import { noticeMs } from "../start/transport.js";

/** The project's `ready` functions, by their servers. */
export const readyChecks = new WeakMap<RunningServer, () => boolean | Promise<boolean>>();

const balanced = new WeakSet<RunningServer>();
const leaving = new WeakMap<RunningServer, Promise<void>>();

/** Records that a load balancer checks whether this server is ready. */
export function noteBalancer(server: RunningServer): void {
  balanced.add(server);
}

/** Whether a load balancer has checked whether this server is ready. */
export function isBalanced(server: RunningServer): boolean {
  return balanced.has(server);
}

/** Whether a server will stop soon, so that load balancers should send it no more requests. */
export function isLeaving(server: RunningServer): boolean {
  return leaving.has(server);
}

/** Waits until load balancers send requests to other servers; returns undefined if no balancer ever checked. */
export function leave(server: RunningServer): Promise<void> | undefined {
  if (!balanced.has(server)) return undefined;
  const notice = leaving.get(server) ?? delay(noticeMs);
  leaving.set(server, notice);
  return notice;
}
