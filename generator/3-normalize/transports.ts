import { httpDefaults } from "../../templates/runtime/http/definition.js";
import type { Manifest, ManifestHttpTransport, ManifestTransport } from "../model/manifest.js";
import {
  NETWORK_TRANSPORTS,
  type HttpTransportModel,
  type TransportModel,
} from "../model/transports.js";

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
    case "custom":
      return { type: "custom", name: transport.name };
    case "http":
      return normalizeHttp(transport, page, ready);
    default:
      return withDefaults(transport, NETWORK_TRANSPORTS[transport.type].defaults);
  }
}

/** @param usualReady the path at which a transport without `ready` says whether the server is ready */
function normalizeHttp(
  transport: ManifestHttpTransport,
  page: ManifestPage,
  usualReady: string | undefined,
): HttpTransportModel {
  const ready = transport.ready ?? usualReady;
  const { health, ...settings } = withDefaults(transport, httpDefaults);
  return {
    ...settings,
    ...(transport.tls !== undefined && {
      tls: { cert: transport.tls.cert, key: transport.tls.key },
    }),
    health,
    ...(ready !== undefined && { ready }),
    ...(transport.metrics !== undefined && { metrics: transport.metrics }),
    ...(page !== false && { page: { public: page !== true && (page.public ?? false) } }),
  };
}

/** The settings that have a default, in its order: what the manifest states, or else the default. */
function withDefaults<Settings extends object>(stated: object, defaults: Settings): Settings {
  const settings = Object.entries(defaults).map(([key, value]: [string, unknown]) => [
    key,
    Reflect.get(stated, key) ?? value,
  ]);
  return Object.fromEntries(settings) as Settings;
}
