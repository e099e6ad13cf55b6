import { posix, relative, sep } from "node:path";
import { kindOfHost } from "../../../templates/runtime/egress/addresses.js";
import type { JsonObject } from "../../model/json.js";
import { itemNames } from "../../text/names.js";
import type { ServerTarget } from "./listed-server.js";

/** The parts of a manifest that describe the server that calls are forwarded to. */
export interface Proxy {
  /** Name of the upstream. */
  readonly upstream: string;
  /** The manifest's `env` and `upstreams`. */
  readonly manifestKeys: JsonObject;
}

/**
 * Describes the listed server as an upstream. Values of headers are not written; they come from variables.
 *
 * @param name the name of the server
 * @param folder the folder of the manifest
 */
export function proxyOf(target: ServerTarget, name: string, folder: string): Proxy {
  const upstream = upstreamName(name);
  if (target.kind === "command") {
    const { command, folder: targetFolder } = target;
    const path = relative(folder, targetFolder).split(sep).join(posix.sep);
    const mcp = { command: [...command], ...(path !== "" && { cwd: path }) };
    return { upstream, manifestKeys: { upstreams: { [upstream]: { mcp } } } };
  }
  const headers = Object.keys(target.headers).map((header) => [
    header,
    variableOf(upstream, header),
  ]);
  const settings = {
    mcp: { url: target.url },
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map(([header, env]) => [header, { env }])) as JsonObject,
    }),
    ...(isPrivate(new URL(target.url).hostname) && { private: true }),
  };
  const secret = { required: true, secret: true };
  const env = Object.fromEntries(headers.map(([, variable]) => [variable, secret])) as JsonObject;
  return {
    upstream,
    manifestKeys: { ...(headers.length > 0 && { env }), upstreams: { [upstream]: settings } },
  };
}

function upstreamName(name: string): string {
  const { identifier } = itemNames(name.slice(name.lastIndexOf("/") + 1));
  return /^[a-z][A-Za-z0-9]*$/.test(identifier) ? identifier : "server";
}

/** The name of the variable for a header, such as `FILES_AUTHORIZATION`. */
function variableOf(upstream: string, header: string): string {
  const words = upstream.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`);
  return `${words}_${header}`.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}

/** True if a host name is not public for certain. The running server checks every address again. */
function isPrivate(hostname: string): boolean {
  return (kindOfHost(hostname) ?? "public") !== "public";
}
