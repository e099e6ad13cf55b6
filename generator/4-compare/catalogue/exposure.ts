import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about which tools are listed, and which are found by searching. */

export const toolsMadeSearchable = defineRule({
  id: "tools-made-searchable",
  severity: "breaking",
  message: () => "tools are not listed any more; `search_tools` finds them",
});

export const toolsMadeListed = defineRule({
  id: "tools-made-listed",
  severity: "breaking",
  message: () => "all tools are listed; `search_tools`, `read_tool` and `call_tool` are gone",
});

export const toolTakenOffList = defineRule<{ name: string }>({
  id: "tool-taken-off-list",
  severity: "breaking",
  message: ({ name }) => `${quoted(name)} is not listed any more; \`search_tools\` finds it`,
});

export const toolPutOnList = defineRule<{ name: string }>({
  id: "tool-put-on-list",
  severity: "info",
  message: ({ name }) => `${quoted(name)} is listed now`,
});

export const resourceToolsAdded = defineRule({
  id: "resource-tools-added",
  severity: "info",
  message: () => "`list_resources` and `read_resource` list and read the resources now",
});

export const resourceToolsRemoved = defineRule({
  id: "resource-tools-removed",
  severity: "breaking",
  message: () => "`list_resources` and `read_resource` are gone",
});
