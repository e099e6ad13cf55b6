import {
  httpDefaults,
  sseDefaults,
  webSocketDefaults,
} from "../../templates/runtime/http/transport-defaults.js";
import type { Manifest, ManifestHttpTransport, ManifestTransport } from "../model/manifest.js";
import type { AddressModel, HttpTransportModel, TransportModel } from "../model/transports.js";

/** The declared transports with their defaults. Only `stdio` if the manifest names none. */
export function normalizeTransports({
  transports = [{ type: "stdio" }],
  page = false,
  scale,
}: Pick<Manifest, "transports" | "page" | "scale">): TransportModel[] {
  const ready = scale === undefined ? undefined : "/readyz";
  return transports.map((transport) => normalizeTransport(transport, page, ready));
}

type ManifestPage = NonNullable<Manifest["page"]>;

function normalizeTransport(
  transport: ManifestTransport,
  page: ManifestPage,
  ready: string | undefined,
): TransportModel {
  switch (transport.type) {
    case "stdio":
      return { type: "stdio" };
    case "http":
      return normalizeHttp(transport, page, ready);
    case "sse":
      return {
        type: "sse",
        ...address(transport, sseDefaults),
        messagesPath: transport.messagesPath ?? sseDefaults.messagesPath,
      };
    case "websocket":
      return { type: "websocket", ...address(transport, webSocketDefaults) };
    case "custom":
      return { type: "custom", name: transport.name };
  }
}

/** @param usualReady the path at which a transport without `ready` says whether the server is ready */
function normalizeHttp(
  transport: ManifestHttpTransport,
  page: ManifestPage,
  usualReady: string | undefined,
): HttpTransportModel {
  const ready = transport.ready ?? usualReady;
  return {
    type: "http",
    ...address(transport, httpDefaults),
    sessions: transport.sessions ?? httpDefaults.sessions,
    resumable: transport.resumable ?? httpDefaults.resumable,
    cors: transport.cors ?? httpDefaults.cors,
    ...(transport.tls !== undefined && {
      tls: { cert: transport.tls.cert, key: transport.tls.key },
    }),
    health: transport.health ?? httpDefaults.health,
    ...(ready !== undefined && { ready }),
    ...(transport.metrics !== undefined && { metrics: transport.metrics }),
    ...(page !== false && { page: { public: page !== true && (page.public ?? false) } }),
  };
}

/** @param defaults the settings of a transport of this type that states none */
function address(
  transport: Extract<ManifestTransport, { path?: string }>,
  defaults: AddressModel,
): AddressModel {
  return {
    host: transport.host ?? defaults.host,
    port: transport.port ?? defaults.port,
    path: transport.path ?? defaults.path,
    allowedHosts: transport.allowedHosts ?? defaults.allowedHosts,
    allowedOrigins: transport.allowedOrigins ?? defaults.allowedOrigins,
    trustProxy: transport.trustProxy ?? defaults.trustProxy,
  };
}
