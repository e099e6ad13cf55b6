import type { McpCallModel, McpReadModel } from "../../model/bodies.js";
import type { JsonValue } from "../../model/json.js";
import type {
  ManifestMcpCall,
  ManifestMcpResource,
  ManifestMcpResourceTemplate,
} from "../../model/manifest.js";
import { jsonValue } from "./values.js";

/**
 * The call of a tool or a prompt of another MCP server.
 *
 * @param name of the item
 * @param arguments_ the names of all its arguments
 */
export function normalizeMcpCall(
  { upstream, name: remoteName, arguments: remoteArguments }: ManifestMcpCall,
  asks: McpCallModel["asks"],
  name: string,
  arguments_: Iterable<string>,
): McpCallModel {
  const names: ReadonlySet<string> = new Set(arguments_);
  return {
    kind: "mcp",
    server: upstream,
    asks,
    name: remoteName ?? name,
    ...(remoteArguments !== undefined && {
      arguments: jsonValue(remoteArguments as JsonValue, names),
    }),
  };
}

/** The read of a resource of another MCP server. @param uri of the item */
export function normalizeMcpResource(
  { upstream, uri: remoteUri }: ManifestMcpResource,
  uri: string,
): McpReadModel {
  const remote = { server: upstream, uri: remoteUri ?? uri };
  return { kind: "mcp", asks: "resource", ...remote, isTemplate: false };
}

/** The read of resources of another MCP server. @param uriTemplate of the item */
export function normalizeMcpResourceTemplate(
  { upstream, uriTemplate: remoteTemplate }: ManifestMcpResourceTemplate,
  uriTemplate: string,
): McpReadModel {
  const remote = { server: upstream, uri: remoteTemplate ?? uriTemplate };
  return { kind: "mcp", asks: "resource", ...remote, isTemplate: true };
}
