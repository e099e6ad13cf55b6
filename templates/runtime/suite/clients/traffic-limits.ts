import type { ServerContract } from "../contract.js";

/**
 * Limits on how a client may send. Tests are busier than clients: in a second they send more, over more
 * connections, than a manifest may allow.
 */
export const TRAFFIC_LIMITS = [
  "bodyBytes",
  "ratePerSecond",
  "sessions",
  "sessionIdleMs",
  "connections",
  "headersTimeoutMs",
  "bodyTimeoutMs",
] as const;

/** What Node must be given before the built server, so that no such limit of the manifest meets the tests. */
export function withUsualTraffic({ limits = {} }: Pick<ServerContract, "limits">): string[] {
  const isLimited = TRAFFIC_LIMITS.some((name) => limits[name] !== undefined);
  return isLimited ? ["--import", new URL("usual-traffic.js", import.meta.url).href] : [];
}
