/** A transport that the project itself writes. */
import { serveCustom, type CustomTransport } from "./connections/custom-transport.js";
import { callerParts } from "./http/parts.js";
import type { ServedTransport } from "./start/transport.js";

export type {
  AcceptingTransport,
  CustomTransport,
  TransportHost,
} from "./connections/custom-transport.js";

/** Serves the clients that `open` accepts. `name` is the transport's name in the log. */
export function custom<Env>(name: string, open: CustomTransport<Env>): ServedTransport {
  return {
    definition: { type: "custom", name },
    part: callerParts,
    group: () => serveCustom(open),
  };
}
