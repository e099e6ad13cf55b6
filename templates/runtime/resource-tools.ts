/** Two tools that list and read resources, for clients that show models only tools. */
import { withResourceTools } from "./resource-tools/resource-tools.js";
import type { ServerPart } from "./server/server-part.js";

/** Lists `list_resources` and `read_resource`. It stands after `toolSearch`, where the server has that. */
export function resourceTools(): ServerPart {
  return ({ createSearchedTools }) => ({
    createSearchedTools: withResourceTools(createSearchedTools),
  });
}
