import { httpDefaults, type ServerCard } from "../../templates/runtime/http/definition.js";
import type { Manifest, ManifestHttpTransport, ManifestTransport } from "../model/manifest.js";
import {
  NETWORK_TRANSPORTS,
  type HttpTransportModel,
  type TransportModel,
} from "../model/transports.js";

import { normalizeCard } from "./server-card.js";

/** The declared transports with their defaults. Only `stdio` if the manifest names none. */
export function normalizeTransports(manifest: Manifest): TransportModel[] {
  const { transports = [{ type: "stdio" }], page = false, scale } = manifest;
  const usual = {
    ready: scale === undefined ? undefined : "/readyz",
    card: normalizeCard(manifest),
  };
  return transports.map((transport) => normalizeTransport(transport, page, usual));
}

/** What a transport `http` gets of other settings of the manifest. */
interface OtherSettings {
  /** The path at which a transport without `ready` says whether the server is ready. */
  readonly ready: string | undefined;
  readonly card: ServerCard | undefined;
}

type ManifestPage = NonNullable<Manifest["page"]>;

function normalizeTransport(
  transport: ManifestTransport,
  page: ManifestPage,
  others: OtherSettings,
): TransportModel {
  switch (transport.type) {
    case "stdio":
      return { type: "stdio" };
    case "custom":
      return { type: "custom", name: transport.name };
    case "http":
      return normalizeHttp(transport, page, others);
    default:
      return withDefaults(transport, NETWORK_TRANSPORTS[transport.type].defaults);
  }
}

function normalizeHttp(
  transport: ManifestHttpTransport,
  page: ManifestPage,
  { ready: usualReady, card }: OtherSettings,
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
    ...(card !== undefined && { card }),
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
