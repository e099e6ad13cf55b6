/** Other MCP servers that are programs, as `ctx.servers`. It needs the package `@modelcontextprotocol/client`. */
import { serversPart, type RemoteServerSettings } from "./remote-servers/part.js";
import { programTransport } from "./remote-servers/program-transport.js";
import type { ServerPart } from "./server/server-part.js";

/** Gives handlers these servers in `ctx.servers`. Each program is started when it is first used, and ends with the server. */
export function programServers(servers: readonly RemoteServerSettings[]): ServerPart {
  const part = serversPart("program", servers);
  return (definition) => ({ ...part(definition), programTransport });
}
