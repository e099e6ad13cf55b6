import type { Logger } from "./log.js";
import type { RequestFilter, RequestListener } from "./request-observer.js";

/**
 * Logs one line for each request, with its method, item and outcome, but without its content.
 * @param isCounted Returns true for a request that is only counted and needs no line of its own.
 */
export function requestLog(log: Logger, isCounted?: RequestFilter): RequestListener {
  return (request) => {
    if (isCounted?.(request) === true) return;
    const { durationMs, item, unknown, method, address: _, principal: __, ...fields } = request;
    const isKnown = method !== undefined;
    log.info("request", {
      method: isKnown ? method : unknown,
      name: item ?? (isKnown ? unknown : undefined),
      ...fields,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
    });
  };
}
