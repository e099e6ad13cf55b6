import type { ManifestHttpTransport, ManifestTransport } from "../model/manifest.js";
import type { AddressModel, HttpTransportModel, TransportModel } from "../model/server-model.js";

/** Declared transports with their defaults; `stdio` alone where the manifest names none. */
export function normalizeTransports(
  transports: readonly ManifestTransport[] = [{ type: "stdio" }],
): TransportModel[] {
  return transports.map(normalizeTransport);
}

function normalizeTransport(transport: ManifestTransport): TransportModel {
  switch (transport.type) {
    case "stdio":
      return { type: "stdio" };
    case "http":
      return normalizeHttp(transport);
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

function normalizeHttp(transport: ManifestHttpTransport): HttpTransportModel {
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
    ...(transport.metrics !== undefined && { metrics: transport.metrics }),
  };
}

function address(
  transport: Extract<ManifestTransport, { path?: string }>,
  path: string,
): AddressModel {
  return {
    host: transport.host ?? "127.0.0.1",
    port: transport.port ?? 3000,
    path: transport.path ?? path,
    allowedHosts: transport.allowedHosts ?? [],
    allowedOrigins: transport.allowedOrigins ?? [],
    trustProxy: transport.trustProxy ?? 0,
  };
}
