import type { Logger } from "./log.js";
import type { RequestFilter } from "./request-observer.js";

/** How long refusals of one kind are counted before the log has a line about them, in milliseconds. */
const PERIOD = 10_000;
/** Kinds that are counted at a time; each refusal of a further one has its own line. */
const MOST_KINDS = 200;

/**
 * Counts refusals, so that a flood of them is no flood in the log: the first of a kind has its own line, those
 * that follow within a period share one, at its end.
 *
 * @param periodMs milliseconds
 * @returns whether a request is one of many refusals of its kind, which the log has as one line with a count
 */
export function countRefusals(log: Logger, periodMs = PERIOD): RequestFilter {
  const counts = new Map<string, number>();
  const begin = (kind: string, refusal: object): void => {
    counts.set(kind, 0);
    setTimeout(() => end(kind, refusal), periodMs).unref();
  };
  const end = (kind: string, refusal: object): void => {
    const count = counts.get(kind) ?? 0;
    counts.delete(kind);
    if (count === 0) return;
    log.info("requests refused", { ...refusal, count, withinMs: periodMs });
    begin(kind, refusal);
  };
  return ({ transport, outcome, status, reason, code }) => {
    if (outcome !== "refused") return false;
    const refusal = { transport, status, reason, code };
    const kind = JSON.stringify(refusal);
    const count = counts.get(kind);
    if (count === undefined) {
      if (counts.size < MOST_KINDS) begin(kind, refusal);
      return false;
    }
    counts.set(kind, count + 1);
    return true;
  };
}
