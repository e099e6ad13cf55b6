import type { ResourceHandler } from "../generated/index.ts";

/** The text of the manifest in the folder that the server was started for. */
export const manifest: ResourceHandler<"manifest"> = (_uri, ctx) =>
  ctx.directories.open(ctx.env.MCPWRIGHT_ROOT).read("mcp.yaml");
