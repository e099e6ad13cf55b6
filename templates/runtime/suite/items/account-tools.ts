import { accountTools } from "../../linked-accounts/definitions.js";
import type { JsonObject, ToolsContract } from "../contract.js";

/** The contract of tools with the two by which callers link accounts with these upstreams. */
export function withAccountTools(
  contract: ToolsContract,
  upstreams: readonly string[],
): ToolsContract {
  const added = accountTools(upstreams) as readonly object[] as JsonObject[];
  return { ...contract, list: [...contract.list, ...added] };
}
