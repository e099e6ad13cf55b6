import { Agent, ProxyAgent, type Dispatcher } from "undici";
import type { Lookup, UpstreamDefinition } from "./definition.js";
import { guarded, toPublicHosts, withLookup } from "./guard.js";
import type { Settings } from "./settings.js";

/** How an agent connects. */
export interface AgentOptions {
  /** Whether addresses that are not public may be connected to. */
  readonly isPrivate: boolean;
  readonly lookup?: Lookup | undefined;
}

/** Idle connections are closed after this time, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;

/**
 * The connections to an upstream. Where there is a proxy, it resolves the names, so only the proxy can check
 * their addresses.
 */
export function agentOf(
  definition: UpstreamDefinition,
  settings: Settings,
  { isPrivate, lookup }: AgentOptions,
): Dispatcher {
  const { timeoutMs, concurrency, proxy } = definition;
  const certificates = settings.certificates(definition);
  const connectOptions = { timeout: timeoutMs, ...certificates };
  // The time limits are kept where a whole answer is awaited.
  const limits = {
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...(concurrency !== undefined && { connections: concurrency }),
  };
  const proxyUrl = proxy === undefined ? undefined : settings.text(proxy);
  if (proxyUrl !== undefined) {
    const agent = new ProxyAgent({ uri: proxyUrl, requestTls: connectOptions, ...limits });
    return isPrivate ? agent : agent.compose(toPublicHosts);
  }
  const open =
    lookup === undefined ? connectOptions : { ...connectOptions, lookup: withLookup(lookup) };
  return new Agent({ ...limits, connect: isPrivate ? open : guarded(connectOptions, lookup) });
}
