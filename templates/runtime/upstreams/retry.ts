import { setTimeout as pause } from "node:timers/promises";

/** The wait before the first retry; each further one waits twice as long. */
const FIRST_WAIT_MS = 250;

/** Waits grow no further. */
const LONGEST_OWN_WAIT_MS = 10_000;

/**
 * How long to wait before a retry, in milliseconds: what `Retry-After` says, else a time that grows with the
 * retries and differs from caller to caller.
 *
 * @param retries that there were before
 */
export function waitBefore(
  retries: number,
  retryAfter: string | undefined,
  now = Date.now(),
  random = Math.random(),
): number {
  const told = retryAfter === undefined ? undefined : toldWait(retryAfter, now);
  if (told !== undefined) return told;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** retries, LONGEST_OWN_WAIT_MS);
  return wait / 2 + (wait / 2) * random;
}

/** `Retry-After` says seconds or a date. */
function toldWait(retryAfter: string, now: number): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  // Dates begin with the day's name; what else may be read as a date is none.
  const date = /^[A-Za-z]/.test(retryAfter) ? Date.parse(retryAfter) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Waits, unless the signal ends the wait at once. @throws the signal's reason */
export async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(milliseconds, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
