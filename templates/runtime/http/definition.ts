declare module "../engine/definition.js" {
  interface TransportDefinitions {
    readonly network: NetworkDefinition;
  }
}

/** A transport behind a listener. */
export type NetworkDefinition = HttpDefinition | SseDefinition | WebSocketDefinition;

/** Where a transport listens, and who may call. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Host names (no port) accepted in `Host` beside the loopback names and `host`. */
  readonly allowedHosts: readonly string[];
  /** Origins that browsers may call from beside the loopback ones; CORS headers are sent to these only. */
  readonly allowedOrigins: readonly string[];
  /** How many proxies in front of the server may name the client's address. */
  readonly trustProxy: number;
}

export interface HttpDefinition extends Address {
  readonly type: "http";
  /** Whether clients of the older eras get sessions, and where these are kept. */
  readonly sessions: "none" | "memory";
  /** Whether a client that lost the stream of an answer can have the rest of it; needs sessions. */
  readonly resumable: boolean;
  /** Whether pages of `allowedOrigins` get CORS headers. */
  readonly cors: boolean;
  readonly tls?: TlsDefinition;
  /** Path of the page that says whether the server is up. */
  readonly health: string;
  /** Path of the page that says whether the server can be sent requests; there is none where it is absent. */
  readonly ready?: string;
  /** Path of the page of metrics; there is none where it is absent. */
  readonly metrics?: string;
  /** Whether browsers get a page for people at the endpoint's path, and those of other machines too. */
  readonly page?: { readonly public: boolean };
}

/** HTTP with server-sent events, as it was before Streamable HTTP. */
export interface SseDefinition extends Address {
  readonly type: "sse";
  /** Where clients post their messages. */
  readonly messagesPath: string;
}

export interface WebSocketDefinition extends Address {
  readonly type: "websocket";
}

/** Names of the environment variables that hold the paths of the PEM files. */
export interface TlsDefinition {
  readonly cert: string;
  readonly key: string;
}
