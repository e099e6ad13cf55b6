import type { HttpDefinition, SseDefinition, WebSocketDefinition } from "./definition.js";

/** The settings of transports that a server does not state. */
const address = {
  host: "127.0.0.1",
  port: 3000,
  allowedHosts: [],
  allowedOrigins: [],
  trustProxy: 0,
} as const;

export const httpDefaults: HttpDefinition = {
  type: "http",
  ...address,
  path: "/mcp",
  sessions: "none",
  resumable: false,
  cors: true,
  health: "/healthz",
};

export const sseDefaults: SseDefinition = {
  type: "sse",
  ...address,
  path: "/sse",
  messagesPath: "/messages",
};

export const webSocketDefaults: WebSocketDefinition = {
  type: "websocket",
  ...address,
  path: "/ws",
};
