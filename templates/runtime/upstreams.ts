/** HTTP services that handlers call as `ctx.upstreams`. It needs the packages `undici` and `ipaddr.js`. */
import type { ServerPart } from "./server/server-part.js";
import type { UpstreamDefinition } from "./upstreams/definition.js";
import { createUpstreams } from "./upstreams/upstreams.js";

export { UpstreamAnswer } from "./upstreams/answer.js";
export type { Upstream, UpstreamRequest } from "./upstreams/upstream.js";
export type { RequestRetries, UpstreamDefinition } from "./upstreams/definition.js";
export { path } from "./upstreams/path.js";
export { styled } from "./upstreams/styles.js";

/** Gives handlers these services in `ctx.upstreams`, by their names. Each is connected to at its first request. */
export function upstreams(services: readonly UpstreamDefinition[]): ServerPart {
  return () => ({ upstreams: services, createUpstreams });
}
