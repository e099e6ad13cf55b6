import type { ManifestHttpTransport, ManifestTransport } from "../model/manifest.js";
import type { HttpTransportModel, TransportModel } from "../model/server-model.js";

/** Declared transports with their defaults; `stdio` alone where the manifest names none. */
export function normalizeTransports(
  transports: readonly ManifestTransport[] = [{ type: "stdio" }],
): TransportModel[] {
  return transports.map((transport) =>
    transport.type === "http" ? normalizeHttp(transport) : { type: "stdio" },
  );
}

function normalizeHttp(transport: ManifestHttpTransport): HttpTransportModel {
  return {
    type: "http",
    host: transport.host ?? "127.0.0.1",
    port: transport.port ?? 3000,
    path: transport.path ?? "/mcp",
    sessions: transport.sessions ?? "none",
    resumable: transport.resumable ?? false,
    cors: transport.cors ?? true,
    trustProxy: transport.trustProxy ?? 0,
    ...(transport.tls !== undefined && {
      tls: { cert: transport.tls.cert, key: transport.tls.key },
    }),
    allowedHosts: transport.allowedHosts ?? [],
    allowedOrigins: transport.allowedOrigins ?? [],
    health: transport.health ?? "/healthz",
  };
}
