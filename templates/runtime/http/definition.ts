import type { ServerPart } from "../server/server-part.js";

/** A transport that listens on the network. */
export type NetworkDefinition = HttpDefinition | SseDefinition | WebSocketDefinition;

/** Where a transport listens, and who may call. */
export interface Address {
  /** The host name or IP address to listen on. */
  readonly host: string;
  /** The port to listen on; 0 for any free one. */
  readonly port: number;
  /** The path of the endpoint, which begins with a slash. */
  readonly path: string;
  /** Host names without port that `Host` may have, in addition to the loopback names and `host`. */
  readonly allowedHosts: readonly string[];
  /** Origins of pages that may call, in addition to the loopback ones. Only they get CORS headers. */
  readonly allowedOrigins: readonly string[];
  /** How many proxies in front of the server may name the client's address. */
  readonly trustProxy: number;
}

/** The transport `http`. */
export interface HttpDefinition extends Address {
  /** The kind of transport. */
  readonly type: "http";
  /** Whether clients of the older eras get sessions, and where these are kept. */
  readonly sessions: "none" | "memory";
  /** Whether a client can resume the lost stream of an answer; needs sessions. */
  readonly resumable: boolean;
  /** Whether pages of `allowedOrigins` get CORS headers. */
  readonly cors: boolean;
  /** The certificate and key for TLS; absent if the transport is not encrypted. */
  readonly tls?: TlsDefinition;
  /** Path of the page that reports whether the server is up. */
  readonly health: string;
  /** Path of the page that reports whether the server is ready for requests; absent if there is no such page. */
  readonly ready?: string;
  /** Path of the page of metrics; absent if there is no such page. */
  readonly metrics?: string;
  /** The server card (SEP-2127), which everyone may read beside the endpoint's path; absent if there is none. */
  readonly card?: ServerCard;
  /** The page that browsers get at the endpoint's path; absent if there is no such page. */
  readonly page?: ServedPage;
}

/** The contents of a server card, without the version of the server and those of the protocol. */
export interface ServerCard {
  /** A domain of the owner in reverse, a slash and a name. */
  readonly name: string;
  /** The title for people, at most 100 characters. */
  readonly title?: string;
  /** At most 100 characters. */
  readonly description: string;
  /** A page about the server. */
  readonly websiteUrl?: string;
  /** Where its source is: `url`, `source` and `subfolder`. */
  readonly repository?: Readonly<Record<string, string>>;
  /** Its icons, as clients have them. */
  readonly icons?: readonly object[];
  /** The public URL of the endpoint; absent if the card does not have it. */
  readonly url?: string;
}

/** The page for people, which `page()` of `@mcpwright/runtime/page` makes. */
export interface ServedPage {
  /** Whether it is shown where other machines can reach the server, too. */
  readonly public: boolean;
  /** The code of the page, which only servers with a page have. */
  readonly part?: ServerPart;
}

/** HTTP with server-sent events, as it was before Streamable HTTP. */
export interface SseDefinition extends Address {
  /** The kind of transport. */
  readonly type: "sse";
  /** Where clients post their messages. */
  readonly messagesPath: string;
}

/** The transport `websocket`. */
export interface WebSocketDefinition extends Address {
  /** The kind of transport. */
  readonly type: "websocket";
}

/** Names of the environment variables that hold the paths of the PEM files. */
export interface TlsDefinition {
  /** The variable with the path of the certificate. */
  readonly cert: string;
  /** The variable with the path of the private key. */
  readonly key: string;
}

/** The address of a transport that states none. */
const addressWith = (path: string): Address => ({
  host: "127.0.0.1",
  port: 3000,
  path,
  allowedHosts: [],
  allowedOrigins: [],
  trustProxy: 0,
});

export const httpDefaults: HttpDefinition = {
  type: "http",
  ...addressWith("/mcp"),
  sessions: "none",
  resumable: false,
  cors: true,
  health: "/healthz",
};

export const sseDefaults: SseDefinition = {
  type: "sse",
  ...addressWith("/sse"),
  messagesPath: "/messages",
};

export const webSocketDefaults: WebSocketDefinition = {
  type: "websocket",
  ...addressWith("/ws"),
};
