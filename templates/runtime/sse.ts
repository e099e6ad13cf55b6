/** The transport `sse`: HTTP with server-sent events, as it was before Streamable HTTP. */
import { sseDefaults, type SseDefinition } from "./http/definition.js";
import { networkParts } from "./http/parts.js";
import { networkGroup, type NetworkTransport } from "./http/network-group.js";

/** The settings of the transport. All have defaults: it listens on 127.0.0.1:3000, path `/sse`. */
export type SseSettings = Partial<Omit<SseDefinition, "type">>;

/** Serves HTTP with server-sent events, for clients that do not know Streamable HTTP. */
export function sse(settings: SseSettings = {}): NetworkTransport<SseDefinition> {
  return {
    definition: { ...sseDefaults, ...settings },
    part: networkParts,
    group: networkGroup,
    load: async () => (await import("./sse/endpoint.js")).sseEndpoint,
  };
}
