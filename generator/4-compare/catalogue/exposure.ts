import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about which tools are listed, and which are found by searching. */

const TOOLS = "tools: [{name: get_order, description: Gets it.}, {name: b, description: Does b.}]";
const SEARCHED = `exposure: search\n${TOOLS}`;
const LISTED = `exposure: {list: [get_order], search: true}\n${TOOLS}`;

export const toolsMadeSearchable = defineRule({
  id: "tools-made-searchable",
  severity: "breaking",
  title: "tools are found by searching now",
  explanation: {
    cause:
      "The server lists `search_tools`, `read_tool` and `call_tool` in place of its tools. Whoever knows a tool by its name may still call it; who reads the list does not find it.",
    example: { before: TOOLS, after: SEARCHED },
    fix: "Check that the clients that matter to you can search, list the tools that they need, or release a new major version.",
  },
  message: () => "tools are not listed any more; `search_tools` finds them",
});

export const toolsMadeListed = defineRule({
  id: "tools-made-listed",
  severity: "breaking",
  title: "tools cannot be searched for any more",
  explanation: {
    cause:
      "The server lists all of its tools. `search_tools`, `read_tool` and `call_tool`, which clients may have been told to use or allowed to call, are gone.",
    example: { before: SEARCHED, after: TOOLS },
    fix: "Check that the clients that matter to you take so many tools, or release a new major version.",
  },
  message: () => "all tools are listed; `search_tools`, `read_tool` and `call_tool` are gone",
});

export const toolTakenOffList = defineRule<{ name: string }>({
  id: "tool-taken-off-list",
  severity: "breaking",
  title: "a tool is not listed any more",
  explanation: {
    cause:
      "The tool was listed and is found by searching now. Whoever knows its name may still call it; who reads the list does not find it.",
    example: { before: LISTED, after: SEARCHED },
    fix: "Keep it in the `list` of `exposure`, or release a new major version.",
  },
  message: ({ name }) => `${quoted(name)} is not listed any more; \`search_tools\` finds it`,
});

export const toolPutOnList = defineRule<{ name: string }>({
  id: "tool-put-on-list",
  severity: "info",
  title: "a tool is listed now",
  explanation: {
    cause:
      "The tool was only found by searching. It is listed now; `search_tools` finds it as before.",
    example: { before: SEARCHED, after: LISTED },
    fix: "Nothing.",
  },
  message: ({ name }) => `${quoted(name)} is listed now`,
});
