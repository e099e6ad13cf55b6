import type { isSpecType } from "@modelcontextprotocol/server";

/**
 * Loads the SDK's checks of the protocol's types at their first use: the SDK takes longer to load than the
 * rest of a server.
 */
export async function loadSpecTypes(): Promise<typeof isSpecType> {
  const sdk = await import("@modelcontextprotocol/server");
  return sdk.isSpecType;
}
