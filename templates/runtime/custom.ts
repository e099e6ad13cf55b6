/** A transport that the project itself writes. */
import { serveCustom, type CustomTransport } from "./connections/custom-transport.js";
import { callerParts } from "./http/parts.js";
import type { ServedTransport } from "./start/transport.js";

export type {
  AcceptingTransport,
  CustomTransport,
  TransportHost,
} from "./connections/custom-transport.js";

/**
 * Serves clients over a transport of your own.
 *
 * @param name the name of the transport in the log
 * @param open begins to accept clients, when all other parts of the server are ready. If it throws, the server does not start.
 */
export function custom<Env>(name: string, open: CustomTransport<Env>): ServedTransport {
  return {
    definition: { type: "custom", name },
    part: callerParts,
    group: () => serveCustom(open),
  };
}
