import type { Logger } from "./log.js";
import type { RequestFilter, RequestListener } from "./request-observer.js";

/**
 * Writes one line a request: what was asked for and what came of it, never what was said.
 *
 * @param isCounted whether the log has another line about the request
 */
export function requestLog(log: Logger, isCounted?: RequestFilter): RequestListener {
  return (request) => {
    if (isCounted?.(request) === true) return;
    const { durationMs, item, unknown, method, address: _, principal: __, ...rest } = request;
    const isNamed = method !== undefined;
    log.info("request", {
      method: isNamed ? method : unknown,
      name: item ?? (isNamed ? unknown : undefined),
      ...rest,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
    });
  };
}
