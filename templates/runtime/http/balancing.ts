import { setTimeout as delay } from "node:timers/promises";
import type { RunningServer } from "../server/create-server.js";
import { noticeMs } from "../start/transport.js";

/** The project's `ready` functions, by their servers. */
export const readyChecks = new WeakMap<RunningServer, () => boolean | Promise<boolean>>();

const balanced = new WeakSet<RunningServer>();
const listeners = new WeakMap<RunningServer, () => void>();
const leaving = new WeakMap<RunningServer, Promise<void>>();

/** Records that a load balancer checks whether this server is ready. */
export function noteBalancer(server: RunningServer): void {
  if (balanced.has(server)) return;
  balanced.add(server);
  listeners.get(server)?.();
}

/** Calls a function when a load balancer checks for the first time whether this server is ready. */
export function onBalancer(server: RunningServer, listener: () => void): void {
  listeners.set(server, listener);
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
