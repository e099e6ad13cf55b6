import { setTimeout as delay } from "node:timers/promises";
import type { RunningServer } from "../server/create-server.js";
import { noticeMs } from "../start/transport.js";

/** The project's `ready` functions, by their servers. */
export const readyChecks = new WeakMap<RunningServer, () => boolean | Promise<boolean>>();

const balanced = new WeakSet<RunningServer>();
const leaving = new WeakMap<RunningServer, Promise<void>>();

/** Notes that a balancer asks whether to send requests to this server. */
export function noteBalancer(server: RunningServer): void {
  balanced.add(server);
}

/** Whether a server will stop soon, so that balancers should send it nothing more. */
export function isLeaving(server: RunningServer): boolean {
  return leaving.has(server);
}

/** Waits until balancers send requests elsewhere; returns undefined where none has ever asked. */
export function leave(server: RunningServer): Promise<void> | undefined {
  if (!balanced.has(server)) return undefined;
  const left = leaving.get(server) ?? delay(noticeMs);
  leaving.set(server, left);
  return left;
}
