import type { Logger } from "./log.js";
import type { RequestFilter, RequestListener } from "./request-observer.js";

/**
 * Logs one line for each request, with its method, item and outcome, but without its content.
 * @param isCounted Whether the request is only counted and needs no line of its own.
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
