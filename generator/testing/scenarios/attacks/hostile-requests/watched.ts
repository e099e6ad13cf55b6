import * as assert from "uvu/assert";
import type { Answer } from "./demo-server.js";

/** What a server's process has been through, as its tool `watch` tells it. */
export type Watched = {
  /** The longest that one callback has kept the processor busy, in milliseconds of its time. */
  readonly blockedMs: number;
  /** What parsing half a megabyte of JSON has just cost in the same process. */
  readonly referenceMs: number;
  readonly heapBytes: number;
  /** Connections that are open. */
  readonly sockets: number;
};

export const watchedBy = ({ message }: Answer): Watched =>
  message.result?.["structuredContent"] as Watched;

/**
 * No more may be done in one go than parsing this many times half a megabyte, 400 ms on a usual machine. The costliest
 * request takes 24 times on a quiet machine, and was seen to take 68 times where all processors are busy.
 */
const MOST_REFERENCES = 100;

export const isBlocked = ({ blockedMs, referenceMs }: Pick<Watched, "blockedMs" | "referenceMs">) =>
  blockedMs > MOST_REFERENCES * referenceMs;

export function assertNotBlocked(watched: Watched): void {
  const { blockedMs, referenceMs } = watched;
  assert.not(
    isBlocked(watched),
    `the event loop was blocked for ${blockedMs} ms, parsing half a megabyte took ${referenceMs} ms`,
  );
}
