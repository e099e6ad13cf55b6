import {
  httpDefaults,
  sseDefaults,
  webSocketDefaults,
  type Address,
  type HttpDefinition,
  type NetworkDefinition,
  type WebSocketDefinition,
} from "../../templates/runtime/http/definition.js";

/** A transport with every default filled in. Those on the network are as the runtime takes them. */
export type TransportModel = { readonly type: "stdio" } | NetworkDefinition | CustomTransportModel;

export type AddressModel = Address;
export type HttpTransportModel = HttpDefinition;
export type WebSocketTransportModel = WebSocketDefinition;

/** A transport that the project implements itself, in `src/transports/<name>.ts`. */
export interface CustomTransportModel {
  readonly type: "custom";
  readonly name: string;
}

/** What the phases must know of a kind of transport that listens on the network. */
interface NetworkTransportKind {
  /** The function that makes it, from the runtime's entry that has the name of the type. */
  readonly factory: string;
  /** The settings of a transport that states none. */
  readonly defaults: NetworkDefinition;
  /** The settings that are paths for clients. */
  readonly paths: readonly string[];
  /** The settings that are paths for monitoring, if there are any. */
  readonly monitoring?: readonly string[];
  /** The scheme of its URL where it has no TLS; with TLS, an `s` follows. */
  readonly scheme: "http" | "ws";
  /** True if every client takes one of the sessions that `limits.sessions` allows. */
  readonly keepsClients?: true;
  /** The packages that the project needs for it, with their types. */
  readonly packages?: readonly ("ws" | "@types/ws")[];
}

/** The transports that listen on the network. */
export const NETWORK_TRANSPORTS: Readonly<Record<NetworkDefinition["type"], NetworkTransportKind>> =
  {
    http: {
      factory: "http",
      defaults: httpDefaults,
      paths: ["path"],
      monitoring: ["health", "ready", "metrics"],
      scheme: "http",
    },
    sse: {
      factory: "sse",
      defaults: sseDefaults,
      paths: ["path", "messagesPath"],
      scheme: "http",
      keepsClients: true,
    },
    websocket: {
      factory: "webSocket",
      defaults: webSocketDefaults,
      paths: ["path"],
      scheme: "ws",
      keepsClients: true,
      packages: ["ws", "@types/ws"],
    },
  };

/** The kind of a transport that listens on the network; undefined for others, and for types that there are not. */
export function networkTransport(type: string | undefined): NetworkTransportKind | undefined {
  const kinds: Readonly<Record<string, NetworkTransportKind>> = NETWORK_TRANSPORTS;
  return type !== undefined && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}

/** The setting of a transport that states none; undefined if it then has none. */
export function usualSetting({ defaults }: NetworkTransportKind, setting: string): unknown {
  return Reflect.get(defaults, setting);
}

/** The transports of a server that listen on the network, by their kinds. */
export function networkKinds({ transports }: { readonly transports: readonly TransportModel[] }) {
  return transports.flatMap((transport) =>
    transport.type === "stdio" || transport.type === "custom"
      ? []
      : [NETWORK_TRANSPORTS[transport.type]],
  );
}
