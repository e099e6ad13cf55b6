// By its file: in place of `undici`, Bun has a module of its own, which makes no requests.
import { Agent, ProxyAgent, type Dispatcher } from "undici/index.js";
import type { Lookup, Reach } from "../egress/reach.js";
import type { UpstreamDefinition } from "./definition.js";
import { guarded, withinReach } from "./guard.js";
import type { Settings } from "./settings.js";

/** The time after which idle connections are closed, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Creates the connections to a URL of an upstream, and to where it redirects. With a proxy, only literal addresses are
 * checked, because the proxy resolves the names.
 */
export function agentOf(
  definition: UpstreamDefinition,
  settings: Settings,
  reach: Reach,
  lookup?: Lookup,
): Dispatcher {
  const { timeoutMs, concurrency, proxy } = definition;
  const certificates = settings.certificates(definition);
  const connectOptions = { timeout: timeoutMs, ...certificates };
  // `exchange` has one time limit for the whole answer, so that the agent needs none.
  const limits = {
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...(concurrency !== undefined && { connections: concurrency }),
  };
  const proxyUrl = proxy === undefined ? undefined : settings.text(proxy);
  if (proxyUrl !== undefined) {
    const agent = new ProxyAgent({ uri: proxyUrl, requestTls: connectOptions, ...limits });
    return agent.compose(withinReach(reach));
  }
  return new Agent({ ...limits, connect: guarded(connectOptions, reach, lookup) });
}
