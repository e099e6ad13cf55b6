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
        ...address(transport, "/sse"),
        messagesPath: transport.messagesPath ?? "/messages",
      };
    case "websocket":
      return { type: "websocket", ...address(transport, "/ws") };
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
    ...address(transport, "/mcp"),
    sessions: transport.sessions ?? "none",
    resumable: transport.resumable ?? false,
    cors: transport.cors ?? true,
    ...(transport.tls !== undefined && {
      tls: { cert: transport.tls.cert, key: transport.tls.key },
    }),
    health: transport.health ?? "/healthz",
    ...(ready !== undefined && { ready }),
    ...(transport.metrics !== undefined && { metrics: transport.metrics }),
    ...(page !== false && { page: { public: page !== true && (page.public ?? false) } }),
  };
}

/** @param usualPath the path of a transport that names none */
function address(
  transport: Extract<ManifestTransport, { path?: string }>,
  usualPath: string,
): AddressModel {
  return {
    host: transport.host ?? "127.0.0.1",
    port: transport.port ?? 3000,
    path: transport.path ?? usualPath,
    allowedHosts: transport.allowedHosts ?? [],
    allowedOrigins: transport.allowedOrigins ?? [],
    trustProxy: transport.trustProxy ?? 0,
  };
}
