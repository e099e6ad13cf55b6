import { Agent, ProxyAgent, type Dispatcher } from "undici";
import type { Lookup, UpstreamDefinition } from "./definition.js";
import { guarded, toPublicHosts, withLookup } from "./guard.js";
import type { Settings } from "./settings.js";

/** Options of an agent's connections. */
export interface AgentOptions {
  /** Whether connections to addresses that are not public are allowed. */
  readonly isPrivate: boolean;
  readonly lookup?: Lookup | undefined;
}

/** The time after which idle connections are closed, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Creates the connections to an upstream. With a proxy, only literal addresses are checked, because the proxy resolves
 * the names.
 */
export function agentOf(
  definition: UpstreamDefinition,
  settings: Settings,
  { isPrivate, lookup }: AgentOptions,
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
    return isPrivate ? agent : agent.compose(toPublicHosts);
  }
  if (!isPrivate) return new Agent({ ...limits, connect: guarded(connectOptions, lookup) });
  const ownLookup = lookup !== undefined && { lookup: withLookup(lookup) };
  return new Agent({ ...limits, connect: { ...connectOptions, ...ownLookup } });
}
