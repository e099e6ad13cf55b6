import type { ServerPart } from "../server/server-part.js";
import type { RemoteServerDefinition } from "./definition.js";
import { createServers } from "./remote-servers.js";

/** The settings of another MCP server. */
export type RemoteServerSettings = Omit<RemoteServerDefinition, "kind">;

/** Adds MCP servers of one kind to those that the server uses. */
export function serversPart(
  kind: RemoteServerDefinition["kind"],
  settings: readonly RemoteServerSettings[],
): ServerPart {
  return ({ servers = [] }) => ({
    servers: [...servers, ...settings.map((server) => ({ ...server, kind }))],
    createServers,
  });
}
