/** The transport `stdio`: one client, which starts the server and speaks with it over stdin and stdout. */
import type { ServedTransport } from "./start/transport.js";
import { serveStdio } from "./stdio/start-stdio.js";

const group: ServedTransport["group"] = () => serveStdio();

/**
 * Serves the client that has started the process. Only its messages go to stdout: what other code writes there goes to stderr.
 */
export function stdio(): ServedTransport {
  return { definition: { type: "stdio" }, group };
}
