import type { Logger } from "./log.js";
import type { Facility } from "../server/facility.js";
import type { RefusalCounts } from "./refusals.js";
import type { ObservedRequest, RequestFilter, RequestListener } from "./request-observer.js";

/**
 * Logs one line for each request, with its method, item and outcome, but without its content. Those that were refused for
 * a limit have lines of their own already, which are warnings.
 * @param isCounted Returns true for a request that is only counted and needs no line of its own.
 */
export function requestLog(log: Logger, isCounted?: RequestFilter): RequestListener {
  return (request) => {
    if (request.limit !== undefined || isCounted?.(request) === true) return;
    const { durationMs, item, unknown, method } = request;
    const isKnown = method !== undefined;
    const entry: Record<string, unknown> = {
      method: isKnown ? method : unknown,
      name: item ?? (isKnown ? unknown : undefined),
    };
    for (const key of Object.keys(request)) {
      if (!isWrittenApart(key)) entry[key] = request[key as keyof ObservedRequest];
    }
    entry["durationMs"] = Math.round(durationMs * 1_000) / 1_000;
    log.info("request", entry);
  };
}

/** Whether a member of a request is written in another form, or not at all: who sent it is not logged. */
function isWrittenApart(key: string): boolean {
  switch (key) {
    case "method":
    case "item":
    case "unknown":
    case "durationMs":
    case "address":
    case "principal":
      return true;
    default:
      return false;
  }
}

/** Makes the facility that logs requests. @param counts What is only counted of those that were refused. */
export function createRequestLog(log: Logger, counts?: RefusalCounts): Facility {
  const observe = requestLog(log, counts?.isCounted);
  return counts === undefined ? { observe } : { observe, close: async () => counts.flush() };
}
