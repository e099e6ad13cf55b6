import type { Logger } from "../context/context.js";
import type { ObservedRequest, RequestListener } from "./request-observer.js";

/** Writes one line a request: what was asked for and what came of it, never what was said. */
export function requestLog(log: Logger): RequestListener {
  return ({ durationMs, item, unknown, method, ...rest }: ObservedRequest) => {
    const isNamed = method !== undefined;
    log.info("request", {
      method: isNamed ? method : unknown,
      name: item ?? (isNamed ? unknown : undefined),
      ...rest,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
    });
  };
}
