import { setTimeout as pause } from "node:timers/promises";

/** The wait before the first retry, in milliseconds; it doubles with each retry. */
const FIRST_WAIT_MS = 250;

/** The longest wait without `Retry-After`, in milliseconds. */
const MAX_BACKOFF_MS = 10_000;

/**
 * How long to wait before a retry, in milliseconds: the time in `Retry-After`, otherwise an exponential backoff with
 * jitter.
 *
 * @param retries the number of retries so far
 */
export function waitBefore(
  retries: number,
  retryAfter: string | undefined,
  now = Date.now(),
  random = Math.random(),
): number {
  const requestedWait = retryAfter === undefined ? undefined : retryAfterMs(retryAfter, now);
  if (requestedWait !== undefined) return requestedWait;
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** retries, MAX_BACKOFF_MS);
  return backoff / 2 + (backoff / 2) * random;
}

/** The milliseconds in `Retry-After`, which has seconds or a date; undefined if it is invalid. */
export function retryAfterMs(retryAfter: string, now: number): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  // Dates of HTTP begin with the name of the day; `Date.parse` accepts more.
  const date = /^[A-Za-z]/.test(retryAfter) ? Date.parse(retryAfter) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Waits for a time. @throws the signal's reason if it is aborted */
export async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(milliseconds, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
