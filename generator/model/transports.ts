import {
  httpDefaults,
  sseDefaults,
  webSocketDefaults,
  type Address,
  type HttpDefinition,
  type NetworkDefinition,
} from "../../templates/runtime/http/definition.js";

/** A transport with every default filled in. Those on the network are as the runtime takes them. */
export type TransportModel = { readonly type: "stdio" } | NetworkDefinition | CustomTransportModel;

export type AddressModel = Address;
export type HttpTransportModel = HttpDefinition;

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
  /** The settings that are paths for monitoring. */
  readonly monitoring: readonly string[];
  /** The scheme of its URL where it has no TLS; with TLS, an `s` follows. */
  readonly scheme: "http" | "ws";
  /** True if every client takes one of the sessions that `limits.sessions` allows. */
  readonly keepsClients: boolean;
  /** The packages that the project needs for it, with their types. */
  readonly packages: readonly string[];
}

/** The transports that listen on the network. */
export const NETWORK_TRANSPORTS = {
  http: {
    factory: "http",
    defaults: httpDefaults,
    paths: ["path"],
    monitoring: ["health", "ready", "metrics"],
    scheme: "http",
    keepsClients: false,
    packages: [],
  },
  sse: {
    factory: "sse",
    defaults: sseDefaults,
    paths: ["path", "messagesPath"],
    monitoring: [],
    scheme: "http",
    keepsClients: true,
    packages: [],
  },
  websocket: {
    factory: "webSocket",
    defaults: webSocketDefaults,
    paths: ["path"],
    monitoring: [],
    scheme: "ws",
    keepsClients: true,
    packages: ["ws", "@types/ws"],
  },
} as const satisfies Readonly<Record<NetworkDefinition["type"], NetworkTransportKind>>;

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
