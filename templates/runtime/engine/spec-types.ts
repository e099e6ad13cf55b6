import type { isSpecType } from "@modelcontextprotocol/server";

/**
 * The SDK's checks of the protocol's types. The SDK takes longer to load than all the rest of a
 * server, so what needs it waits until it is needed.
 */
export async function loadSpecTypes(): Promise<typeof isSpecType> {
  const sdk = await import("@modelcontextprotocol/server");
  return sdk.isSpecType;
}
