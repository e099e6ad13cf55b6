import { limitInWords, type LimitName, type Limits } from "../engine/limits.js";
import { SettingError } from "../engine/errors.js";

/** Limits of what is open at a time. Each worker has an equal part of them. */
const DIVIDED = [
  "concurrency",
  "subscriptions",
  "connections",
  "sessions",
] as const satisfies LimitName[];

/** The parts of a worker of the limits of what is open at a time. The parts of all workers make the whole. */
export function partsOfLimits(
  limits: Limits,
  worker: number,
  count: number,
): Pick<Limits, (typeof DIVIDED)[number]> {
  const part = (name: LimitName): number => Math.floor((limits[name] + count - worker) / count);
  return {
    concurrency: part("concurrency"),
    subscriptions: part("subscriptions"),
    connections: part("connections"),
    sessions: part("sessions"),
  };
}

/** @throws SettingError if a limit is too small to be divided among so many workers */
export function checkDivided(limits: Limits, count: number, withSessions: boolean): void {
  for (const name of DIVIDED) {
    if (limits[name] === 0 || limits[name] >= count) continue;
    if (name === "sessions" && !withSessions) continue;
    throw new SettingError(
      `${limitInWords(limits, name)} cannot be divided among ${count} workers; start fewer of them`,
    );
  }
}
