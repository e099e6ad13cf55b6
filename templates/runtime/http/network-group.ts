import type { StatedDefinition } from "../server/server-part.js";
import type { ServedTransport, TransportGroup } from "../start/transport.js";
import type { NetworkDefinition } from "./definition.js";
import { serveNetwork } from "./start-network.js";
import type { Listen, MakeEndpoint } from "./transport.js";

/** A transport that listens on the network. */
export interface NetworkTransport<
  Definition extends NetworkDefinition = NetworkDefinition,
> extends ServedTransport {
  readonly definition: Definition;
  /** Imports the code that serves it. It is called only if the transport is served. */
  readonly load: () => Promise<MakeEndpoint<Definition>>;
}

async function listenWithoutTls(): Promise<Listen> {
  const { listen } = await import("./listener.js");
  return (server, endpoints) => listen(server, endpoints);
}

/** All transports of a server that listen on the network. Those of the same address share a listener. */
export function networkGroup(
  transports: readonly ServedTransport[],
  { joinReplicas, newKey }: StatedDefinition,
): TransportGroup {
  const network = transports as readonly NetworkTransport<never>[];
  const hasTls = network.some(({ definition }) => "tls" in definition);
  const endpoints = network.map(
    ({ definition, load }) => [(definition as NetworkDefinition).type, load] as const,
  );
  return serveNetwork({
    endpoints: new Map(endpoints),
    listen: hasTls ? async () => (await import("./tls.js")).listenWithTls : listenWithoutTls,
    ...(joinReplicas !== undefined && { joinReplicas }),
    ...(newKey !== undefined && { newKey }),
  });
}
