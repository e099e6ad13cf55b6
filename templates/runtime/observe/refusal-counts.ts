import type { LogData, Logger } from "./log.js";
import type { RequestFilter } from "./request-observer.js";

/** Refusals of one kind are counted for this long before they are logged, in milliseconds. */
const PERIOD = 10_000;
/** Most kinds that are counted at the same time. Each refusal of a further kind is logged. */
const MOST_KINDS = 200;

/**
 * Counts refusals, so that many of them do not flood the log. The first refusal of a kind has its own line.
 * The next ones within a period share one line with their number, which is written when the period ends.
 *
 * @param periodMs The length of a period, in milliseconds.
 * @returns a function that tells whether a request is a refusal that is only counted
 */
export function countRefusals(log: Logger, periodMs = PERIOD): RequestFilter {
  const isRepeated = countRepeats((data) => log.info("requests refused", data), periodMs);
  return ({ transport, outcome, status, reason, code }) =>
    outcome === "refused" && isRepeated({ transport, status, reason, code });
}

/** Returns a function that writes the first line of a kind and counts repetitions in the same way. */
export function countedLines(
  write: (data: LogData) => void,
  periodMs = PERIOD,
): (data: LogData) => void {
  const isRepeated = countRepeats(write, periodMs);
  return (data) => {
    if (!isRepeated(data)) write(data);
  };
}

/** Returns a function that tells whether data repeats earlier data. `write` gets the number of repetitions. */
function countRepeats(
  write: (data: LogData) => void,
  periodMs: number,
): (data: LogData) => boolean {
  const counts = new Map<string, number>();
  const begin = (kind: string, data: LogData): void => {
    counts.set(kind, 0);
    setTimeout(() => end(kind, data), periodMs).unref();
  };
  const end = (kind: string, data: LogData): void => {
    const count = counts.get(kind) ?? 0;
    counts.delete(kind);
    if (count === 0) return;
    write({ ...data, count, withinMs: periodMs });
    begin(kind, data);
  };
  return (data) => {
    const kind = JSON.stringify(data);
    const count = counts.get(kind);
    if (count === undefined) {
      if (counts.size < MOST_KINDS) begin(kind, data);
      return false;
    }
    counts.set(kind, count + 1);
    return true;
  };
}
