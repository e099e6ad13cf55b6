import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";

/** Rules about which tools clients are shown. */

export const exposedToolUnknown = defineDiagnostic<{ name: string; nearest?: string }>({
  code: "MW2130",
  severity: "error",
  title: "listed tool that there is not",
  explanation: {
    cause: "`exposure` lists a tool by a name that no tool of the manifest has.",
    example:
      "exposure: {list: [get_ordr], search: true}\ntools: [{name: get_order, description: x}]",
    fix: "Write the name of a tool, or take it out of the list.",
  },
  message: ({ name, nearest }) => `there is no tool ${name} to list${didYouMean(nearest)}`,
});

export const gatewayNameTaken = defineDiagnostic<{ name: string }>({
  code: "MW2131",
  severity: "error",
  title: "name of a tool that searching adds",
  explanation: {
    cause:
      "With `exposure: search` the server has the tools `search_tools`, `read_tool` and `call_tool` of its own; a tool of the same name, or with such an alias, could not be called.",
    example: "exposure: search\ntools: [{name: read_tool, description: x}]",
    fix: "Use another name, and `renamedFrom` with the old one, so that its handler follows.",
  },
  message: ({ name }) => `with \`exposure: search\` the server has a tool ${name} of its own`,
});

export const nothingToSearch = defineDiagnostic({
  code: "MW2132",
  severity: "error",
  title: "no tool to search for",
  explanation: {
    cause:
      "With `exposure: search` clients find tools by searching, and there is none that is not listed.",
    example: "exposure: {list: [a], search: true}\ntools: [{name: a, description: x}]",
    fix: "Remove `exposure`, or take tools out of its `list`.",
  },
  message: () => "every tool is listed, so that there is none to search for",
});
