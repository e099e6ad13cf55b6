/** The transport `websocket`. It needs the package `ws`. */
import { webSocketDefaults, type WebSocketDefinition } from "./http/definition.js";
import { networkParts } from "./http/parts.js";
import { networkGroup, type NetworkTransport } from "./http/network-group.js";

/** The settings of the transport. All have defaults: it listens on 127.0.0.1:3000, path `/ws`. */
export type WebSocketSettings = Partial<Omit<WebSocketDefinition, "type">>;

/** Serves clients over WebSocket, a connection for each client. This needs the package `ws`. */
export function webSocket(settings: WebSocketSettings = {}): NetworkTransport<WebSocketDefinition> {
  return {
    definition: { ...webSocketDefaults, ...settings },
    part: networkParts,
    group: networkGroup,
    load: async () => (await import("./websocket/endpoint.js")).webSocketEndpoint,
  };
}
