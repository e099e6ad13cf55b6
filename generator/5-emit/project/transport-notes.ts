import type { AddressModel, ServerModel, TransportModel } from "../../model/server-model.js";
import { customNames } from "../modules/custom-transport-files.js";
import { localUrl } from "./package-json.js";

/** How a transport is started and reached; absent values are null, since the template's engine is strict. */
export interface TransportNote {
  readonly flag: string;
  /** Where clients on the same machine connect. */
  readonly url: string | null;
  /** The file that it is written in, where that is the user's own. */
  readonly file: string | null;
}

/** Notes on the transports beside stdio and http, which the README tells of at length. */
export function transportNotes(model: ServerModel): TransportNote[] {
  return model.transports.flatMap((transport): TransportNote[] => {
    const flag = `--${transport.type}`;
    switch (transport.type) {
      case "stdio":
      case "http":
        return [];
      case "custom": {
        const file = `src/transports/${customNames(transport).fileName}.ts`;
        return [{ flag, url: null, file }];
      }
      default:
        return [{ flag, url: endpointUrl(model, transport), file: null }];
    }
  });
}

/** Transports share the listener of http, and so its TLS, where they name the same address. */
function endpointUrl(
  { transports }: ServerModel,
  transport: AddressModel & Pick<TransportModel, "type">,
): string {
  const secure = transports.find(
    (other) =>
      other.type === "http" &&
      other.tls !== undefined &&
      other.host === transport.host &&
      other.port === transport.port,
  );
  const scheme = `${transport.type === "websocket" ? "ws" : "http"}${secure === undefined ? "" : "s"}`;
  return localUrl(transport).replace(/^http/, scheme);
}
