/** The transport `http`: Streamable HTTP, with or without sessions. */
import { httpDefaults, type HttpDefinition } from "./http/definition.js";
import { httpParts } from "./http/parts.js";
import { networkGroup, type NetworkTransport } from "./http/network-group.js";

export type { TlsDefinition } from "./http/definition.js";

/** The settings of the transport. All have defaults: it listens on 127.0.0.1:3000, path `/mcp`. */
export type HttpSettings = Partial<Omit<HttpDefinition, "type">>;

/**
 * Serves Streamable HTTP to clients of both eras. The command line (`--host`, `--port`) and the variables `HOST` and `PORT`
 * have priority over the settings.
 */
export function http(settings: HttpSettings = {}): NetworkTransport<HttpDefinition> {
  const definition = { ...httpDefaults, ...settings };
  return {
    definition,
    part: httpParts(definition),
    group: networkGroup,
    load:
      definition.sessions === "memory"
        ? async () => (await import("./http/sessions.js")).httpEndpointWithSessions
        : async () => (await import("./http/endpoint.js")).httpEndpoint,
  };
}
