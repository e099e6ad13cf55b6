export type TransportModel =
  | StdioTransportModel
  | HttpTransportModel
  | SseTransportModel
  | WebSocketTransportModel
  | CustomTransportModel;

export interface StdioTransportModel {
  readonly type: "stdio";
}

/** The address that a transport listens at, and the hosts and origins that may call it. */
export interface AddressModel {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Host names (no port) that are allowed in the Host header in addition to the loopback names. */
  readonly allowedHosts: readonly string[];
  /** Origins (scheme, host and port) that browsers may call from, in addition to the loopback origins. */
  readonly allowedOrigins: readonly string[];
  /** The number of proxies in front of the server whose `X-Forwarded-For` entries are trusted. */
  readonly trustProxy: number;
}

/** Streamable HTTP. */
export interface HttpTransportModel extends AddressModel {
  readonly type: "http";
  /** Whether clients of the older eras get sessions, and where the sessions are stored. */
  readonly sessions: "none" | "memory";
  /** True if a client can resume a broken stream. */
  readonly resumable: boolean;
  /** True if web pages of `allowedOrigins` get CORS headers. */
  readonly cors: boolean;
  /** Names of the environment variables that hold the paths of the PEM files. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Path that answers if the process runs. */
  readonly health: string;
  /** Path that says whether the server is ready for requests. Absent if there is none. */
  readonly ready?: string;
  /** Path of the metrics. Absent if there are none. */
  readonly metrics?: string;
  /** The web page for people. `public` is true if other machines may open it. Absent if there is no page. */
  readonly page?: { readonly public: boolean };
}

/** HTTP with server-sent events: the transport that Streamable HTTP replaced. */
export interface SseTransportModel extends AddressModel {
  readonly type: "sse";
  /** Path that clients post their messages to. */
  readonly messagesPath: string;
}

export interface WebSocketTransportModel extends AddressModel {
  readonly type: "websocket";
}

/** A transport that the project implements itself, in `src/transports/<name>.ts`. */
export interface CustomTransportModel {
  readonly type: "custom";
  readonly name: string;
}
