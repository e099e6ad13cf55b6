import type { McpCallModel, McpReadModel } from "../../model/bodies.js";
import type { JsonValue } from "../../model/json.js";
import type {
  ManifestMcpCall,
  ManifestMcpResource,
  ManifestMcpResourceTemplate,
} from "../../model/manifest.js";
import { jsonValue } from "./values.js";

/**
 * A tool or a prompt that another MCP server has.
 *
 * @param name of the item
 * @param arguments_ the names of all its arguments
 */
export function normalizeMcpCall(
  { upstream, name: known, arguments: given }: ManifestMcpCall,
  asks: McpCallModel["asks"],
  name: string,
  arguments_: Iterable<string>,
): McpCallModel {
  const names: ReadonlySet<string> = new Set(arguments_);
  return {
    kind: "mcp",
    server: upstream,
    asks,
    name: known ?? name,
    ...(given !== undefined && { arguments: jsonValue(given as JsonValue, names) }),
  };
}

/** A resource that another MCP server has. @param uri of the item */
export function normalizeMcpResource(
  { upstream, uri: known }: ManifestMcpResource,
  uri: string,
): McpReadModel {
  return { kind: "mcp", server: upstream, asks: "resource", uri: known ?? uri, isTemplate: false };
}

/** Resources that another MCP server has. @param uriTemplate of the item */
export function normalizeMcpResourceTemplate(
  { upstream, uriTemplate: known }: ManifestMcpResourceTemplate,
  uriTemplate: string,
): McpReadModel {
  const uri = known ?? uriTemplate;
  return { kind: "mcp", server: upstream, asks: "resource", uri, isTemplate: true };
}
