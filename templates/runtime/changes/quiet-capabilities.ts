import type { ServerCapabilities } from "@modelcontextprotocol/server";

/** Returns the same capabilities with `listChanged` and `subscribe` set to false. */
export function quietCapabilities(capabilities: ServerCapabilities): ServerCapabilities {
  const changeFlags = new Set(["listChanged", "subscribe"]);
  const json = JSON.stringify(capabilities, (key, value: unknown) =>
    changeFlags.has(key) ? false : value,
  );
  return JSON.parse(json) as ServerCapabilities;
}
