/** Three tools that find and call all others, for servers with many tools. It needs the package `stemmer`. */
import type { SearchExposure } from "./search/definition.js";
import { createSearchedTools } from "./search/search.js";
import { mustStandBefore } from "./server/needed-parts.js";
import type { ServerPart } from "./server/server-part.js";

export type { SearchExposure, SearchWords } from "./search/definition.js";

/** Lists the tools that search and call, and beside them only those that the settings name. */
export function toolSearch(exposure: SearchExposure): ServerPart {
  return ({ createSearchedTools: others }) => {
    mustStandBefore("toolSearch()", "resourceTools() and linkedAccounts()", others !== undefined);
    return { exposure, createSearchedTools, serves: ["search"] };
  };
}
