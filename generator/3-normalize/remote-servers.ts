import type { RemoteServerModel } from "../model/bodies.js";
import type { JsonObject } from "../model/json.js";
import type { ManifestMcpServer, ManifestUpstream } from "../model/manifest.js";
import { pickDefined } from "../model/pick.js";
import { connectionSettings } from "./upstreams.js";

/** The entries of `upstreams` that are MCP servers, in the order of their names. */
export function normalizeRemoteServers(
  upstreams: Readonly<Record<string, ManifestUpstream>>,
): RemoteServerModel[] {
  return Object.entries(upstreams).flatMap(([name, upstream]) => {
    const { mcp } = upstream;
    return mcp === undefined ? [] : [{ name, ...remoteServer(mcp, upstream) }];
  });
}

function remoteServer(
  mcp: ManifestMcpServer,
  upstream: ManifestUpstream,
): Pick<RemoteServerModel, "kind" | "settings"> {
  const timeout = pickDefined(upstream, ["timeoutMs"]);
  if (mcp.command === undefined) {
    const connection = connectionSettings(upstream);
    return { kind: "url", settings: { url: mcp.url, ...connection, ...timeout } as JsonObject };
  }
  const { command, env = {} } = mcp;
  const settings = { command, ...pickDefined(mcp, ["cwd"]), env, ...timeout };
  return { kind: "program", settings: settings as JsonObject };
}
