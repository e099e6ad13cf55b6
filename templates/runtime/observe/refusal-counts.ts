import type { LogData, Logger } from "./log.js";
import type { RequestFilter } from "./request-observer.js";

/** Refusals of one kind are counted for this long before they are logged, in milliseconds. */
const PERIOD_MS = 10_000;
/** The maximum number of kinds counted at the same time. Each refusal of a further kind is logged. */
const MAX_KINDS = 200;

/**
 * Counts refusals, so that many of them do not flood the log. The first refusal of a kind has its own line.
 * The following ones within a period share one line, which is written when the period ends and has their count.
 *
 * @param periodMs The length of a period, in milliseconds.
 * @returns A function that returns true for a refusal that is only counted and needs no line of its own.
 */
export function countRefusals(log: Logger, periodMs = PERIOD_MS): RequestFilter {
  const isRepeated = countRepeats((data) => log.info("requests refused", data), periodMs);
  return ({ transport, outcome, status, reason, code }) =>
    outcome === "refused" && isRepeated({ transport, status, reason, code });
}

/** Returns a function that writes the first entry of a kind and counts repetitions as `countRefusals` does. */
export function countedLines(
  write: (data: LogData) => void,
  periodMs = PERIOD_MS,
): (data: LogData) => void {
  const isRepeated = countRepeats(write, periodMs);
  return (data) => {
    if (!isRepeated(data)) write(data);
  };
}

/** Returns a function that checks whether data repeats earlier data. `write` gets the data with its count. */
function countRepeats(
  write: (data: LogData) => void,
  periodMs: number,
): (data: LogData) => boolean {
  const counts = new Map<string, number>();
  const startPeriod = (kind: string, data: LogData): void => {
    counts.set(kind, 0);
    setTimeout(() => endPeriod(kind, data), periodMs).unref();
  };
  const endPeriod = (kind: string, data: LogData): void => {
    const count = counts.get(kind) ?? 0;
    counts.delete(kind);
    if (count === 0) return;
    write({ ...data, count, withinMs: periodMs });
    startPeriod(kind, data);
  };
  return (data) => {
    const kind = JSON.stringify(data);
    const count = counts.get(kind);
    if (count === undefined) {
      if (counts.size < MAX_KINDS) startPeriod(kind, data);
      return false;
    }
    counts.set(kind, count + 1);
    return true;
  };
}
