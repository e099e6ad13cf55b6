/** The types of other MCP servers that handlers use as `ctx.servers`, and their stand-ins in tests. */
export type { ConnectServer } from "./remote-servers/definition.js";
export type { RemoteServer } from "./remote-servers/remote-server.js";
