import type { ServerModel } from "../../model/server-model.js";
import { NETWORK_TRANSPORTS, type AddressModel } from "../../model/transports.js";
import { customTransportNames } from "../modules/custom-transport-names.js";
import { localUrl } from "./local-url.js";

/** How a transport is started and reached. Absent values are null, since the template engine is strict. */
export interface TransportNote {
  readonly flag: string;
  /** The URL for clients on the same machine. */
  readonly url: string | null;
  /** The file of a custom transport, which people write. */
  readonly file: string | null;
}

/** Notes on all transports except stdio and http, which the README describes in detail. */
export function transportNotes(model: ServerModel): TransportNote[] {
  return model.transports.flatMap((transport): TransportNote[] => {
    const flag = `--${transport.type}`;
    switch (transport.type) {
      case "stdio":
      case "http":
        return [];
      case "custom": {
        return [{ flag, url: null, file: customTransportNames(transport.name).path }];
      }
      default:
        return [{ flag, url: endpointUrl(model, transport), file: null }];
    }
  });
}

/** The URL of a transport. On the same host and port as http, it shares that listener and its TLS. */
function endpointUrl(
  { transports }: ServerModel,
  transport: AddressModel & { readonly type: keyof typeof NETWORK_TRANSPORTS },
): string {
  const secure = transports.find(
    (other) =>
      other.type === "http" &&
      other.tls !== undefined &&
      other.host === transport.host &&
      other.port === transport.port,
  );
  const scheme = `${NETWORK_TRANSPORTS[transport.type].scheme}${secure === undefined ? "" : "s"}`;
  return localUrl(transport).replace(/^http/, scheme);
}
