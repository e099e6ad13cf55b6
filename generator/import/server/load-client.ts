/**
 * Loads the client of the protocol. Beside the published command it is a separate file of this name, which no other
 * command reads. Both files have their own copies of classes, so that only data may be passed.
 */
export const loadClient = (): Promise<typeof import("./mcp-client.js")> =>
  import("./mcp-client.js");
