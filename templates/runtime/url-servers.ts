/**
 * Other MCP servers at URLs, as `ctx.servers`. It needs the packages `@modelcontextprotocol/client`, `undici` and
 * `ipaddr.js`.
 */
import { serversPart, type RemoteServerSettings } from "./remote-servers/part.js";
import { urlTransport } from "./remote-servers/url-transport.js";
import type { ServerPart } from "./server/server-part.js";

/** Gives handlers these servers in `ctx.servers`. Each is connected to when it is first used. */
export function urlServers(servers: readonly RemoteServerSettings[]): ServerPart {
  const part = serversPart("url", servers);
  return (definition) => ({ ...part(definition), urlTransport });
}
