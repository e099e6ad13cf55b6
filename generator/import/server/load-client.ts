/**
 * Loads the client of the protocol. It is a file of its own beside the published command, under this name, so
 * that no other command reads it; what crosses here is data, since both files have their own classes.
 */
export const loadClient = (): Promise<typeof import("./mcp-client.js")> =>
  import("./mcp-client.js");
