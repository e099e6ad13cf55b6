import type { isSpecType } from "@modelcontextprotocol/server";

/**
 * Loads the SDK's checks of the protocol's types. They are imported only when needed, since the SDK takes
 * longer to load than all other code.
 */
export async function loadSpecTypes(): Promise<typeof isSpecType> {
  const sdk = await import("@modelcontextprotocol/server");
  return sdk.isSpecType;
}
