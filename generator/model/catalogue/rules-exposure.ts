import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean, mendOfName } from "./message-parts.js";

/** Rules about which tools clients are shown. */

export const exposedToolUnknown = defineDiagnostic<{ name: string; nearest?: string }>({
  code: "MW2130",
  message: ({ name, nearest }) => `there is no tool ${name} to list${didYouMean(nearest)}`,
  mend: mendOfName,
});

export const gatewayNameTaken = defineDiagnostic<{ name: string }>({
  code: "MW2131",
  message: ({ name }) => `with \`exposure: search\` the server has a tool ${name} of its own`,
});

export const nothingToSearch = defineDiagnostic({
  code: "MW2132",
  message: () => "every tool is listed, so that there is none to search for",
});

export const resourceToolNameTaken = defineDiagnostic<{ name: string }>({
  code: "MW2133",
  message: ({ name }) => `with \`resourceTools\` the server has a tool ${name} of its own`,
});

export const noResourcesToRead = defineDiagnostic({
  code: "MW2134",
  message: () => "there are no resources that tools could list and read",
});
